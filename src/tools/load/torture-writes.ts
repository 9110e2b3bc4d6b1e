import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** A client of an installation. */
export interface InstallationClient {
  signIn(account: string): Promise<Person>
  /** Sends until the answer is not "later". */
  send(person: Person, path: string, body: object | FormData): Promise<Answer>
  /** Reads until the answer is not "later". */
  ask(person: Person, path: string): Promise<Answer>
  /** The bytes at an address. */
  read(person: Person, path: string): Promise<Buffer>
}

interface Person {
  readonly token: string
  readonly customer: string
}

export interface Answer {
  readonly meta: { readonly code: number; readonly message: string }
  readonly data: {
    readonly id?: string
    readonly token?: string
    readonly jobId?: string
    readonly approval_id?: string
    readonly status?: string
    readonly list?: readonly { readonly id: string }[]
  }
}

/** The acknowledged writes. */
export interface AcknowledgedWrites {
  /** By token. */
  readonly tokens: Map<string, Kind>
  /** By id. Only its sender sees a file until a record refers to it. */
  readonly files: Map<string, { readonly sum: string; readonly sender: Person }>
  /** Imports by token. */
  readonly imports: Map<string, Import>
  /** Answers that were neither success nor "later". */
  readonly refused: string[]
}

interface Import {
  /** Id of the job; null until it was acknowledged. */
  readonly id: string | null
  /** Tokens of its rows. */
  readonly tokens: readonly string[]
  readonly sender: Person
}

/** The people involved besides the writer. */
export interface People {
  readonly seller: Person
  /** Imports sheets, and approves everything that is submitted. */
  readonly manager: Person
}

interface WriteTurn extends People {
  readonly room: InstallationClient
  readonly writer: Person
  readonly token: string
  readonly written: AcknowledgedWrites
}

/** One kind of write. */
export interface Kind {
  /** SQL that counts each token; null for writes without tokens. */
  readonly counts: string | null
  write(turn: WriteTurn): Promise<void>
}

/** Sends one call with a new token. @returns null for a refusal, which is recorded */
async function sent({ room, written }: WriteTurn, person: Person, path: string, body: object | FormData) {
  const { meta, data } = await room.send(person, path, body)
  if (meta.code === 200) return data
  written.refused.push(`${path} ${meta.code} ${meta.message}`)
  return null
}

const aMobile = (): string => `13${String(Math.floor(1e9 * Math.random())).padStart(9, '0')}`

const LEAD: Kind = {
  counts: `select name as token, count(*)::int as n from lead where name like 'torture-%' group by name`,
  async write(turn) {
    const { token, writer, written } = turn
    const body = {
      name: token,
      company: token,
      contact_name: '王五五',
      mobile: aMobile(),
      source: 'website',
      clientToken: token,
    }
    if ((await sent(turn, writer, '/mini/lead/create', body)) !== null) written.tokens.set(token, this)
  },
}

const FOLLOW: Kind = {
  counts: `select content as token, count(*)::int as n from follow where content like 'torture-%' group by content`,
  async write(turn) {
    const { token, writer, written } = turn
    const body = {
      target_type: 'customer',
      target_id: writer.customer,
      method: 'call',
      content: token,
      clientToken: token,
    }
    if ((await sent(turn, writer, '/mini/follow/create', body)) !== null) written.tokens.set(token, this)
  },
}

/** One pixel. Bytes after the end of a picture are stored with it. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
export const sumOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** @returns the file's id, or null */
async function upload(
  turn: WriteTurn,
  sender: Person,
  content: Buffer,
  name: string,
): Promise<string | null> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const data = await sent(turn, sender, '/engine/web/file/upload', form)
  if (data?.id === undefined) return null
  turn.written.files.set(data.id, { sum: sumOf(content), sender })
  return data.id
}

const FILE: Kind = {
  counts: null,
  async write(turn) {
    const content = Buffer.concat([PNG, Buffer.from(turn.token.repeat(500))])
    await upload(turn, turn.writer, content, `${turn.token}.png`)
  },
}

const ROWS = 40
/** Maximum number of imports in a run: more than three at once are refused. */
const MAX_IMPORTS = 2

/** Rows that a server creates itself, mostly after its answer. */
const IMPORT: Kind = {
  counts: `select name as token, count(*)::int as n from customer where name like 'torture-%' group by name`,
  async write(turn) {
    const { token, manager, written } = turn
    if (written.imports.size >= MAX_IMPORTS) return LEAD.write(turn)
    const tokens = Array.from({ length: ROWS }, (_, at) => `${token}-row-${at}`)
    written.imports.set(token, { id: null, tokens, sender: manager })
    const sheet = Buffer.from(`客户名称,手机\n${tokens.map((one) => `${one},${aMobile()}`).join('\n')}\n`)
    const fileId = await upload(turn, manager, sheet, `${token}.csv`)
    if (fileId === null) return
    const data = await sent(turn, manager, '/mini/customer/import/start', { fileId, clientToken: token })
    if (data?.jobId !== undefined) written.imports.set(token, { id: data.jobId, tokens, sender: manager })
  },
}

/** A contract that is drafted, submitted and approved: three calls, the last one by another person. */
const APPROVAL: Kind = {
  counts: `select k.name as token, count(*)::int as n from contract k
    join approval a on a.tenant_id = k.tenant_id and a.record_id = k.id
    join approval_act x on x.tenant_id = a.tenant_id and x.approval_id = a.id and x.action = 'approve'
    where k.name like 'torture-%' and k.approval_status = 2 group by k.name`,
  async write(turn) {
    const { room, token, seller, manager, written } = turn
    const contract = {
      name: token,
      customer_id: seller.customer,
      type: 'direct',
      amount: 10_000,
      sign_date: '2026-03-10',
      clientToken: `${token}-create`,
    }
    const made = await sent(turn, seller, '/mini/contract/create', contract)
    if (made?.id === undefined) return
    const { id } = made
    if ((await sent(turn, seller, '/mini/contract/submit', { id, clientToken: `${token}-submit` })) === null)
      return
    const { data } = await room.ask(seller, `/mini/contract/detail?id=${id}`)
    const act = { id: data.approval_id, action: 'approve', clientToken: `${token}-act` }
    if ((await sent(turn, manager, '/mini/approval/act', act)) !== null) written.tokens.set(token, this)
  },
}

export const KINDS: readonly Kind[] = [LEAD, FOLLOW, FILE, APPROVAL]
export const KINDS_WITH_IMPORTS: readonly Kind[] = [...KINDS, LEAD, FOLLOW, FILE, IMPORT]

/** Signs people in; makes the manager the approver, and removes the holding limits. */
export async function preparePeople(room: InstallationClient): Promise<People> {
  const admin = await room.signIn('admin')
  const flow = {
    entity: 'contract',
    enabled: true,
    allow_self: false,
    steps: [{ kind: 'user', value: 'u-manager', mode: 'any' }],
    clientToken: 'torture-flow',
    cc: [],
  }
  const { meta } = await room.send(admin, '/mini/approval/flow/save', flow)
  if (meta.code !== 200) throw new Error(`the flow of approvals cannot be set: ${meta.message}`)
  await liftCaps(room, admin)
  return { seller: await room.signIn('demo'), manager: await room.signIn('manager') }
}

/** People hold as many records as they write: a refusal by the limit would say nothing about kills. */
async function liftCaps(room: InstallationClient, admin: Person): Promise<void> {
  for (const entity of ['customer', 'lead']) {
    const { data } = await room.ask(admin, `/mini/pool/list?entity=${entity}`)
    for (const { id } of data.list ?? []) {
      const body = { id, settings: { holding_cap: 0 }, clientToken: `torture-cap-${id}` }
      const { meta } = await room.send(admin, '/mini/pool/setting', body)
      if (meta.code !== 200) throw new Error(`the cap of ${id} cannot be lifted: ${meta.message}`)
    }
  }
}

const TIMEOUT_MS = 400_000
const POLL_INTERVAL_MS = 1_000

/**
 * Waits until the acknowledged imports have ended; the work of a killed server is taken over after two minutes. Then their rows are acknowledged too:
 * all of them, or the number reported.
 *
 * @returns what is wrong
 */
export async function endImports(
  room: InstallationClient,
  { imports, tokens }: AcknowledgedWrites,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const until = performance.now() + TIMEOUT_MS
  for (const { id, tokens: rows, sender } of imports.values()) {
    if (id === null) continue
    let status = ''
    while (performance.now() < until) {
      status = (await room.ask(sender, `/mini/job/detail?id=${id}`)).data.status ?? ''
      if (!/waiting|running/.test(status)) break
      await pause(POLL_INTERVAL_MS)
    }
    if (status === 'done') for (const row of rows) tokens.set(row, IMPORT)
    else wrong.push(`import ${id} ended as ${status}`)
  }
  return wrong
}
