import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from '../build.ts'
import { startCluster } from '../cluster.ts'
import { type Budgets, type Ratios, readBudgets } from './budgets.ts'
import { processorMs, query, sessionsMs, start, tookMs } from './processes.ts'

/** One call, ours or hand-written: CPU time in milliseconds, and calls per second. */
interface Cost {
  readonly server: number
  readonly database: number
  readonly perSecond: number
}

interface Sides {
  readonly byHand: readonly Cost[]
  readonly ours: readonly Cost[]
}

interface Kind {
  readonly byHand: () => Promise<void>
  readonly ours: () => Promise<void>
  /** Deletes the written records: a person may hold 300 leads. */
  readonly clear?: () => Promise<unknown>
}

const ROUNDS = 7
const SECONDS = 1.5
const CONCURRENCY = 6
/** Warm-up calls, until V8 has compiled the hot code. On a busy machine a round has no more than these. */
const WARM = 200
const OWNER = 'u-demo'
/** Pattern for the names of written leads. */
const MADE = '^负责人 .{36}$'

/**
 * `npm run bench -- server`: CPU time per call, of server and database, for our server and for hand-written handlers, on one new PostgreSQL with demo
 * data, in turn. Medians of rounds; the ratio is the median of the rounds' ratios, since a machine that becomes busier affects both. Linux only: it
 * reads /proc.
 *
 * @returns a table in Markdown, and the ratio of each call to the hand-written one
 */
export async function benchServer(
  root: string,
): Promise<{ readonly table: string; readonly ratios: Ratios }> {
  await buildStale()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'crm-bench-'))
  const started: ChildProcess[] = []
  try {
    const ours = await start(started, [join(root, 'dist/server/main.js')], /ready (http\S+)/, {
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      PORT: '0',
      SEED: 'demo',
      RATE_LIMITS: 'off',
    })
    const customers = await query(
      cluster.url,
      'select tenant_id, id from customer where owner_id = $1 and deleted_at is null order by id limit 20',
      [OWNER],
    )
    const [customer] = customers
    if (customer === undefined) throw new Error('the demo data have no customer of the person who asks')
    const hand = await start(
      started,
      ['--import', 'tsx', fileURLToPath(new URL('./by-hand.ts', import.meta.url))],
      /^(\d+)/,
      {
        DATABASE_URL: cluster.url,
        TENANT: String(customer.tenant_id),
        OWNER,
      },
    )
    const taken = await measure(
      await kindsOf(
        ours.said,
        `http://127.0.0.1:${hand.said}`,
        customers.map((one) => String(one.id)),
        () => query(cluster.url, 'delete from lead where owner_id = $1 and name ~ $2', [OWNER, MADE]),
      ),
      { ours: ours.pid, byHand: hand.pid },
      new URL(cluster.url).pathname.slice(1),
    )
    const ratios = Object.fromEntries(Object.entries(taken).map(([name, sides]) => [name, ratioOf(sides)]))
    return { table: tableOf(taken, await readBudgets(root)), ratios }
  } finally {
    for (const child of started) child.kill('SIGTERM')
    await Promise.all(started.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)))
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param ids  customers, opened in turn: nobody opens one six times at once */
async function kindsOf(
  ours: string,
  byHand: string,
  ids: readonly string[],
  withoutLeads: () => Promise<unknown>,
): Promise<Readonly<Record<string, Kind>>> {
  const [id = ''] = ids
  let looks = 0
  const next = (): string => ids[looks++ % ids.length] ?? id
  let token = ''
  const ask = async (url: string, method: 'GET' | 'POST', body?: object) => {
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const told = (await answer.json()) as { meta: { code: number }; data: { token?: string } }
    if (told.meta.code !== 200) throw new Error(`${url}: ${JSON.stringify(told.meta)}`)
    return told.data
  }
  const signedIn = await ask(`${ours}/mini/login/validate`, 'POST', {
    account: 'demo',
    password: 'Crm@2026',
    agree: true,
    deviceId: 'bench',
    isPc: false,
  })
  token = signedIn.token ?? ''
  const own = () => randomUUID()
  const follow = () => ({
    target_type: 'customer',
    target_id: id,
    method: 'call',
    content: `电话沟通了需求，约好下周再谈 ${own()}`,
    clientToken: own(),
  })
  const lead = () => ({
    name: `负责人 ${own()}`,
    company: `公司 ${own()}`,
    contact_name: '王五五',
    mobile: `13${String(Math.floor(1e9 * Math.random())).padStart(9, '0')}`,
    source: 'website',
    clientToken: own(),
  })
  const call = (url: string, method: 'GET' | 'POST', body?: () => object) => async () =>
    void (await ask(url, method, body?.()))
  const written = (body: () => object) => call(`${byHand}/write`, 'POST', () => ({ ...body(), id: own() }))
  return {
    list: {
      byHand: call(`${byHand}/list`, 'POST', () => ({})),
      ours: call(`${ours}/mini/customer/list`, 'POST', () => ({ limit: 20 })),
    },
    detail: {
      byHand: call(`${byHand}/detail`, 'POST', () => ({ id: next() })),
      ours: async () => void (await ask(`${ours}/mini/customer/detail?id=${next()}`, 'GET')),
    },
    follow: {
      byHand: written(follow),
      ours: call(`${ours}/mini/follow/create`, 'POST', follow),
    },
    lead: {
      byHand: written(lead),
      ours: call(`${ours}/mini/lead/create`, 'POST', lead),
      clear: withoutLeads,
    },
  }
}

async function measure(
  kinds: Readonly<Record<string, Kind>>,
  pids: { readonly ours: number; readonly byHand: number },
  database: string,
): Promise<Readonly<Record<string, Sides>>> {
  const taken: Record<string, Sides> = {}
  for (const { byHand, ours, clear } of Object.values(kinds))
    for (const call of [byHand, ours]) {
      await together(call, (calls) => calls < WARM)
      await clear?.()
    }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, { byHand, ours, clear }] of Object.entries(kinds)) {
      const before = taken[name] ?? { byHand: [], ours: [] }
      taken[name] = {
        byHand: [...before.byHand, await costOf(byHand, pids.byHand, database)],
        ours: [...before.ours, await costOf(ours, pids.ours, database)],
      }
      await clear?.()
    }
  return taken
}

/**
 * Several parallel callers, each with one call after the other. @param isOn  whether to go on, by the number of calls so far @returns the number of
 * calls
 */
async function together(call: () => Promise<void>, isOn: (calls: number) => boolean): Promise<number> {
  let calls = 0
  const caller = async () => {
    while (isOn(calls)) {
      calls += 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  return calls
}

/** Maximum number of calls in a round: a person may hold 300 leads. */
const MAX_CALLS = 250

async function costOf(call: () => Promise<void>, pid: number, database: string): Promise<Cost> {
  const [server, sessions] = [await processorMs(pid), await sessionsMs(database)]
  const begun = performance.now()
  const calls = await together(call, (n) => n < MAX_CALLS && performance.now() - begun <= SECONDS * 1000)
  return {
    server: ((await processorMs(pid)) - server) / calls,
    database: tookMs(sessions, await sessionsMs(database)) / calls,
    perSecond: (calls * 1000) / (performance.now() - begun),
  }
}

const middle = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN
const median = (costs: readonly Cost[], of: (cost: Cost) => number): number => middle(costs.map(of))
const wholeOf = ({ server, database }: Cost): number => server + database
const ratioOf = ({ byHand, ours }: Sides): number =>
  middle(ours.map((cost, round) => wholeOf(cost) / wholeOf(byHand[round] ?? cost)))

function tableOf(taken: Readonly<Record<string, Sides>>, { server: budgets }: Budgets): string {
  const said = (costs: readonly Cost[]) =>
    `${median(costs, ({ server }) => server).toFixed(2)} + ${median(costs, ({ database }) => database).toFixed(2)} ms, ${median(costs, ({ perSecond }) => perSecond).toFixed(0)}/s`
  const lines = Object.entries(taken).map(([name, sides]) => {
    const { goal, accepted } = budgets[name] ?? {}
    return `| ${name} | ${said(sides.byHand)} | ${said(sides.ours)} | ${ratioOf(sides).toFixed(1)}× | ${accepted}× | ≤ ${goal}× |`
  })
  return [
    `Processor time per call, server + database; load ${loadavg()[0]?.toFixed(1)}`,
    '',
    '| call | by hand | ours | ratio | accepted | goal |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
