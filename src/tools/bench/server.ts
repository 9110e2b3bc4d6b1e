import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from '../build.ts'
import { type Cluster, startCluster } from '../cluster.ts'
import { type Budgets, type Costs, readBudgets } from './budgets.ts'
import { processorMs, query, sessionsMs, start, startSeeded, tookMs } from './processes.ts'

/** CPU time per call in milliseconds. */
interface Cost {
  readonly server: number
  readonly database: number
}

/** A server under measurement, with the calls it is asked. */
interface Side {
  readonly pid: number
  readonly database: string
  readonly calls: Readonly<Record<Kind, () => Promise<void>>>
  /** Deletes the written leads: a person may hold 300. */
  readonly clear: () => Promise<unknown>
}

type Kind = 'list' | 'detail' | 'follow' | 'lead'
const KINDS: readonly Kind[] = ['list', 'detail', 'follow', 'lead']

/** Calls of each kind before it is measured. V8 compiles our hot code until then: after 200 calls, a follow-up still takes twice as long. */
const WARM = 3000
/** Turns of each side, and calls per turn: short, so that both sides see the same load of the machine. */
const TURNS = 60
const IN_TURN = 50
const CONCURRENCY = 6
/** Turns after which written leads are deleted. */
const CLEARED = 4
const OWNER = 'u-demo'
/** Pattern for the names of written leads. */
const MADE = '^负责人 .{36}$'

/**
 * `npm run bench -- server`: CPU time per call, of server and database, for our server and for hand-written handlers, on one new PostgreSQL with demo
 * data, in turn. Linux only: it reads /proc.
 *
 * @param beside  root of another version, with its build: measured in place of the hand-written handlers
 * @returns a table in Markdown, and the ratio of each call to the other side
 */
export async function benchServer(
  root: string,
  beside?: string,
): Promise<{ readonly table: string; readonly costs: Costs }> {
  await buildStale()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'crm-bench-'))
  const started: ChildProcess[] = []
  try {
    const place = { cluster, folder, started }
    const ours = await openOurs(root, 'ours', place)
    const other = await (beside === undefined ? openByHand(ours, place) : openOurs(beside, 'beside', place))
    const measured = await measure([other, ours])
    const costs = Object.fromEntries(KINDS.map((kind) => [kind, { ratio: ratioOf(measured[kind]) }]))
    return { table: tableOf(measured, beside ?? 'by hand', await readBudgets(root)), costs }
  } finally {
    for (const child of started) child.kill('SIGTERM')
    await Promise.all(started.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)))
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  readonly cluster: Cluster
  readonly folder: string
  readonly started: ChildProcess[]
}

/** Our server with demo data in a database of its own. */
async function openOurs(root: string, name: string, { cluster, folder, started }: Place): Promise<Side> {
  const { pid, captured, database: url } = await startSeeded(started, { root, name, cluster, folder })
  const next = (await customersOf(url)).next
  const { token } = (await request(`${captured}/mini/login/validate`, 'POST', '', {
    account: 'demo',
    password: 'Crm@2026',
    agree: true,
    deviceId: 'bench',
    isPc: false,
  })) as { token: string }
  const post = (path: string, body: object) => request(captured + path, 'POST', token, body)
  return {
    pid,
    database: name,
    calls: {
      list: async () => void (await post('/mini/customer/list', { limit: 20 })),
      detail: async () => void (await request(`${captured}/mini/customer/detail?id=${next()}`, 'GET', token)),
      follow: async () => void (await post('/mini/follow/create', follow(next()))),
      lead: async () => void (await post('/mini/lead/create', lead())),
    },
    clear: () => query(url, 'delete from lead where owner_id = $1 and name ~ $2', [OWNER, MADE]),
  }
}

/** The hand-written handlers, on the data of our server. */
async function openByHand({ database }: Side, { cluster, started }: Place): Promise<Side> {
  const url = new URL(`/${database}`, cluster.url).href
  const { tenant, next } = await customersOf(url)
  const file = fileURLToPath(new URL('./by-hand.ts', import.meta.url))
  const { pid, captured } = await start(started, ['--import', 'tsx', file], /^(\d+)/, {
    DATABASE_URL: url,
    TENANT: tenant,
    OWNER,
  })
  const post = async (path: string, body: object) =>
    void (await request(`http://127.0.0.1:${captured}${path}`, 'POST', '', body))
  return {
    pid,
    database,
    calls: {
      list: () => post('/list', {}),
      detail: () => post('/detail', { id: next() }),
      follow: () => post('/write', { ...follow(next()), id: randomUUID() }),
      lead: () => post('/write', { ...lead(), id: randomUUID() }),
    },
    clear: async () => undefined,
  }
}

/** Customers of the person who asks, in turn: nobody opens one, or writes to one, six times at once. */
async function customersOf(url: string): Promise<{ readonly tenant: string; readonly next: () => string }> {
  const rows = await query(
    url,
    'select tenant_id, id from customer where owner_id = $1 and deleted_at is null order by id limit 20',
    [OWNER],
  )
  const [first] = rows
  if (first === undefined) throw new Error('the demo data have no customer of the person who asks')
  let looks = 0
  return { tenant: String(first.tenant_id), next: () => String((rows[looks++ % rows.length] ?? first).id) }
}

async function request(url: string, method: 'GET' | 'POST', token: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = (await answer.json()) as { meta: { code: number }; data: unknown }
  if (envelope.meta.code !== 200) throw new Error(`${url}: ${JSON.stringify(envelope.meta)}`)
  return envelope.data
}

const follow = (id: string) => ({
  target_type: 'customer',
  target_id: id,
  method: 'call',
  content: `电话沟通了需求，约好下周再谈 ${randomUUID()}`,
  clientToken: randomUUID(),
})

const lead = () => ({
  name: `负责人 ${randomUUID()}`,
  company: `公司 ${randomUUID()}`,
  contact_name: '王五五',
  mobile: `13${String(Math.floor(1e9 * Math.random())).padStart(9, '0')}`,
  source: 'website',
  clientToken: randomUUID(),
})

/** The costs of each turn, the other side first. */
type CostsByKind = Readonly<Record<Kind, readonly (readonly [Cost, Cost])[]>>

/** Both sides in turn, each kind by itself. */
async function measure([other, ours]: readonly [Side, Side]): Promise<CostsByKind> {
  const costs: Record<Kind, [Cost, Cost][]> = { list: [], detail: [], follow: [], lead: [] }
  for (const kind of KINDS) {
    for (const { calls, clear } of [other, ours])
      for (let done = 0; done < WARM; done += IN_TURN * CLEARED) {
        await together(calls[kind], IN_TURN * CLEARED)
        await clear()
      }
    for (let turn = 0; turn < TURNS; turn += 1) {
      if (turn % CLEARED === 0) for (const { clear } of [other, ours]) await clear()
      // Each side is first in every second turn.
      const before = turn % 2 === 0 ? await costOf(ours, kind) : undefined
      const cost = await costOf(other, kind)
      costs[kind].push([cost, before ?? (await costOf(ours, kind))])
    }
  }
  return costs
}

/** Several parallel callers, each with one call after the other, `count` calls altogether. */
async function together(call: () => Promise<void>, count: number): Promise<void> {
  let calls = 0
  const caller = async () => {
    while (calls < count) {
      calls += 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
}

/** The CPU time per call in one turn. */
async function costOf({ pid, database, calls }: Side, kind: Kind): Promise<Cost> {
  const [server, sessions] = [await processorMs(pid), await sessionsMs(database)]
  await together(calls[kind], IN_TURN)
  return {
    server: ((await processorMs(pid)) - server) / IN_TURN,
    database: tookMs(sessions, await sessionsMs(database)) / IN_TURN,
  }
}

const middle = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN
const wholeOf = ({ server, database }: Cost): number => server + database
/** The middle of the turns: a machine that becomes busier affects both sides of one. */
const ratioOf = (turns: readonly (readonly [Cost, Cost])[]): number =>
  middle(turns.map(([other, ours]) => wholeOf(ours) / wholeOf(other)))

function tableOf(costs: CostsByKind, other: string, { server: budgets }: Budgets): string {
  const costText = (costs: readonly Cost[]) =>
    `${middle(costs.map(({ server }) => server)).toFixed(2)} + ${middle(costs.map(({ database }) => database)).toFixed(2)} ms`
  const lines = KINDS.map((kind) => {
    const { goal, accepted } = budgets[kind] ?? {}
    const [theirs, ours] = [costs[kind].map(([one]) => one), costs[kind].map(([, one]) => one)]
    return `| ${kind} | ${costText(theirs)} | ${costText(ours)} | ${ratioOf(costs[kind]).toFixed(2)}× | ${accepted}× | ≤ ${goal}× |`
  })
  return [
    `Processor time per call, server + database, ${TURNS * IN_TURN} calls of each; load ${loadavg()[0]?.toFixed(1)}`,
    '',
    `| call | ${other} | ours | ratio | accepted (by hand) | goal (by hand) |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
