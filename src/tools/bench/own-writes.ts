import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale } from '../build.ts'
import { startCluster } from '../cluster.ts'
import { OWN_FIELDS, ownValues } from '../load/own-fields.ts'
import { processorMs, query, sessionsMs, startSeeded, tookMs } from './processes.ts'

/** Maximum cost of a write relative to the same record without a tenant's own fields. */
const GOAL = 1.5
/** Turns per kind of write, and writes per turn. */
const TURNS = 26
const IN_TURN = 20
const TITLE = { name: 'title', kind: 'text', label: '标题', required: true, search: true }
const VISIT = { name: 'visit', label: '拜访', title: 'title', behaviours: ['owned', 'history', 'recycle'] }
const OWNER = 'u-demo'
const PASSWORD = 'Crm@2026'

type Values = Readonly<Record<string, unknown>>
interface Written {
  readonly id: string
  readonly version: number
}

/** A server with its own database, and a signed-in user. */
interface Place {
  readonly ask: (path: string, body: Values) => Promise<Written>
  readonly cpuTimes: () => Promise<CpuTimes>
}
/** CPU time so far, in milliseconds. */
interface CpuTimes {
  readonly server: number
  readonly sessions: ReadonlyMap<string, number>
}
/** CPU time in milliseconds. */
interface Cost {
  readonly server: number
  readonly database: number
}

interface Kind {
  readonly name: string
  readonly place: Place
  /** One write; `n` is its number. */
  readonly write: (n: number) => Promise<void>
}

/**
 * `npm run bench -- own`: CPU time per write, of server and database, for leads with 50 own fields of the tenant, ten of them mirrored, empty and
 * filled, compared with leads of a tenant without own fields; 500 writes of each kind, in turns. Linux only: it reads /proc.
 *
 * @returns a table in Markdown
 */
export async function benchOwnWrites(root: string): Promise<string> {
  await buildStale()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'crm-bench-'))
  const started: ChildProcess[] = []
  const open = async (name: string, fields: readonly object[]): Promise<Place> => {
    const { pid, captured, database: url } = await startSeeded(started, { root, name, cluster, folder })
    // The maximum number of leads per person would end it early.
    await query(url, `update pool set settings = settings || '{"holding_cap": 0}'`)
    // Analyses both databases: otherwise autovacuum may have analysed only one of them.
    await query(url, 'analyze')
    const save = await signedIn(captured, 'admin')
    const visit = { ...VISIT, fields: [TITLE, ...fields] }
    await save('/engine/web/module/save', { description: visit })
    if (fields.length > 0) await save('/engine/web/module/save', { description: { name: 'lead', fields } })
    await query(
      url,
      `update role set permissions = permissions || '["m.visit:view", "m.visit:add", "m.visit:edit"]'`,
    )
    return {
      ask: await signedIn(captured, 'demo'),
      cpuTimes: async () => ({ server: await processorMs(pid), sessions: await sessionsMs(name) }),
    }
  }
  try {
    const places = [await open('plain', []), await open('own', OWN_FIELDS)] as const
    const filled = await filledValues(cluster.url)
    const lines: string[] = []
    for (const thing of THINGS) lines.push(await compared(thing, places, filled))
    return [
      `Processor time per write, server + database; load ${loadavg()[0]?.toFixed(1)}`,
      '',
      '| write | takes | ratio | goal |',
      '| --- | --- | --- | --- |',
      ...lines,
    ].join('\n')
  } finally {
    for (const child of started) child.kill('SIGTERM')
    await Promise.all(started.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)))
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function signedIn(url: string, account: string): Promise<Place['ask']> {
  let token = ''
  const ask = async (path: string, body: Values) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      body: JSON.stringify({ clientToken: randomUUID(), ...body }),
    })
    const envelope = (await answer.json()) as { meta: { code: number }; data: Written & { token?: string } }
    if (envelope.meta.code !== 200) throw new Error(`${path}: ${JSON.stringify(envelope).slice(0, 300)}`)
    return envelope.data
  }
  const login = { account, password: PASSWORD, agree: true, deviceId: 'bench', isPc: false }
  token = (await ask('/mini/login/validate', login)).token ?? ''
  return ask
}

/** Values of all own fields, each present in nine of ten records, one set per write. */
async function filledValues(url: string): Promise<readonly Values[]> {
  const rows = await query(
    url,
    `select ${ownValues('k::text')} as ext from generate_series(1, ${TURNS * IN_TURN}) k`,
  )
  return rows.map(({ ext }) => ({ ...(ext as Values), own_by: OWNER }))
}

/** The written record: one of the product with own fields, or one of an own module. */
interface Thing {
  readonly name: string
  readonly path: string
  readonly plain: () => Values
  /** The product's field that an update writes. */
  readonly changed: string
  readonly own: (values: Values) => Values
}
const THINGS: readonly Thing[] = [
  { name: 'lead', path: '/mini/lead', plain: () => lead(), changed: 'remark', own: (ext) => ({ ext }) },
  {
    name: 'visit',
    path: `/mini/m/${VISIT.name}`,
    plain: () => ({ title: `拜访${characters(6)}` }),
    changed: 'title',
    own: (values) => values,
  },
]

async function compared(
  { path, ...thing }: Thing,
  [plain, own]: readonly [Place, Place],
  filled: readonly Values[],
): Promise<string> {
  const made = new Map<string, Written>()
  const create = (name: string, place: Place, more: (n: number) => Values): Kind => ({
    name: `${thing.name} ${name}`,
    place,
    write: async (n) =>
      void made.set(`${name}/${n}`, await place.ask(`${path}/create`, { ...thing.plain(), ...more(n) })),
  })
  const change = (name: string, of: string, place: Place, more: (n: number) => Values): Kind => ({
    name: `${thing.name} ${name}`,
    place,
    async write(n) {
      const key = `${of}/${n}`
      const { id, version } = made.get(key) ?? { id: '', version: 0 }
      const body = { id, version, [thing.changed]: `改为${characters(6)}`, ...more(n) }
      made.set(key, { id, version: (await place.ask(`${path}/update`, body)).version })
    },
  })
  const none = () => ({})
  const ownOf = (n: number) => thing.own(filled[n % filled.length] ?? {})
  const creates = [
    create('made, none', plain, none),
    create('made, empty', own, none),
    create('made, filled', own, ownOf),
  ]
  const changes = [
    change('changed, none', 'made, none', plain, none),
    change('changed, empty', 'made, empty', own, none),
    change('changed, filled', 'made, filled', own, none),
    change('changed, all again', 'made, filled', own, (n) => ownOf(n + 1)),
  ]
  return [...linesOf(await measureKinds(creates)), ...linesOf(await measureKinds(changes))].join('\n')
}

/** A name of the given length. */
const characters = (count: number): string =>
  String.fromCharCode(...Array.from({ length: count }, () => 0x4e00 + Math.floor(Math.random() * 5000)))

const lead = (): Values => ({
  name: `负责人${characters(3)}`,
  company: `青岛${characters(5)}科技有限公司`,
  contact_name: '王五五',
  mobile: `13${String(Math.floor(1e9 * Math.random())).padStart(9, '0')}`,
  source: 'website',
})

/** The cost per write of each kind, the kinds in turn. */
async function measureKinds(kinds: readonly Kind[]): Promise<ReadonlyMap<string, Cost>> {
  const sums = new Map<string, Cost>()
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const { name, place, write } of kinds) {
      const before = await place.cpuTimes()
      for (let n = 0; n < IN_TURN; n += 1) await write(turn * IN_TURN + n)
      const after = await place.cpuTimes()
      // The first turn warms caches and the compiler.
      if (turn === 0) continue
      const sum = sums.get(name) ?? { server: 0, database: 0 }
      sums.set(name, {
        server: sum.server + after.server - before.server,
        database: sum.database + tookMs(before.sessions, after.sessions),
      })
    }
  return sums
}

/** @param sums  the base of the comparison first */
function linesOf(sums: ReadonlyMap<string, Cost>): readonly string[] {
  const writes = (TURNS - 1) * IN_TURN
  const total = ({ server, database }: Cost) => (server + database) / writes
  const [first = { server: 0, database: 0 }] = sums.values()
  return [...sums].map(([name, one], at) => {
    const parts = `${(one.server / writes).toFixed(2)} + ${(one.database / writes).toFixed(2)} ms`
    const ratio = at === 0 ? '' : `${(total(one) / total(first)).toFixed(2)}×`
    return `| ${name} | ${parts} | ${ratio} | ${at === 0 ? '' : `≤ ${GOAL}×`} |`
  })
}
