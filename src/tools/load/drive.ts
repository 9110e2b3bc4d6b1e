import { loadWatch } from './load-watch.ts'

/** The calls to a running server with the large data set, and their time limits (issue 4, "Must hold"). */
export interface DriveOptions {
  readonly url: string
  readonly seconds: number
  readonly print: (line: string) => void
}

interface Answer {
  readonly meta?: { readonly code: number }
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly data?: any
}

interface Call {
  readonly name: string
  readonly path: string
  readonly body?: object
}

const PER_SECOND = 50
const HOME_PER_SECOND = 20
const PASSWORD = 'Crm@2026'

/** Users with the data scopes own, department and all. */
const ACCOUNTS = ['demo', 'manager', 'director']

/** Sends each kind of call at a fixed rate, as salesperson, manager and director, and prints p50 and p99 per kind. */
export async function drive({ url, seconds, print }: DriveOptions): Promise<void> {
  for (const account of ACCOUNTS) {
    const { ask } = await signIn(url, account)
    const calls = await callsOf(ask)
    // Each call once as a warm-up.
    for (const call of calls) await ask(call)
    const load = loadWatch()
    const times = await atRate(calls, PER_SECOND, seconds, ask)
    const busy = load()
    const home = await atRate(
      [{ name: 'home', path: '/mini/home/overview' }],
      HOME_PER_SECOND,
      seconds / 2,
      ask,
    )
    const line = (name: string, all: readonly number[]): void => {
      const sorted = [...all].sort((a, b) => a - b)
      const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0)
      print(
        `${account.padEnd(9)} ${name.padEnd(18)} n ${String(all.length).padStart(5)}  p50 ${at(0.5).padStart(5)} ms  p99 ${at(0.99).padStart(5)} ms`,
      )
    }
    for (const [name, all] of times) line(name, all)
    times.delete(AWAY)
    line('ALL', [...times.values()].flat())
    for (const [name, all] of home) line(name, all)
    print(`${account.padEnd(9)} ${busy}`)
  }
}

/** Filters by the own fields of the large data; together they leave one record in fifty. */
const OWN_FILTERS = [
  { field: 'own_level', op: 'in', value: ['b'] },
  { field: 'own_score', op: 'between', value: [40, 49] },
]
const asExt = (one: { readonly field: string }) => ({ ...one, field: `ext.${one.field}` })

/** The server refused a call because of too much load. */
class TurnedAway extends Error {}
/** Key of refused calls among the kinds of calls. */
const AWAY = 'turned away'

type Ask = (call: Omit<Call, 'name'>) => Promise<Answer>

/** Signs in to a server with the demo data. */
export async function signIn(
  url: string,
  account: string,
): Promise<{ readonly ask: Ask; readonly token: string }> {
  const send = async (path: string, body: object | undefined, token: string): Promise<Answer> => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Answer
    if (answer.meta?.code === 503) throw new TurnedAway()
    if (answer.meta?.code !== 200) throw new Error(`${path}: ${JSON.stringify(answer).slice(0, 300)}`)
    return answer
  }
  const login = await send(
    '/mini/login/validate',
    { account, password: PASSWORD, agree: true, deviceId: `load-${account}` },
    '',
  )
  const { token } = login.data
  return { token, ask: ({ path, body }) => send(path, body, token) }
}

/** The kinds of calls; the records to open are those of the lists. */
async function callsOf(ask: Ask): Promise<readonly Call[]> {
  const rowsOf = async (path: string, body: object = {}) => (await ask({ path, body })).data.list
  const ids = (rows: readonly { readonly id: string }[]) => rows.slice(0, 20).map(({ id }) => id)
  const customers = ids(await rowsOf('/mini/customer/list', { limit: 20 }))
  const leads = ids(await rowsOf('/mini/lead/list', { limit: 20 }))
  const deals = ids(await rowsOf('/mini/bussiness/list', { limit: 20 }))
  const pools = (await ask({ path: '/mini/pool/list?entity=customer' })).data.list
  const poolId = pools[0]?.id
  const list = (entity: string, what: string, body: object): Call => ({
    name: `${entity} ${what}`,
    path: `/mini/${entity}/list`,
    body,
  })
  return [
    ...['customer', 'lead', 'bussiness', 'contact'].map((entity) => list(entity, 'list', {})),
    list('customer', 'mine', { tab: 'mine', sort: [{ field: 'next_follow_at', dir: 'asc' }] }),
    list('customer', 'filter', {
      filters: [
        { field: 'level', op: 'in', value: ['A'] },
        { field: 'deal_status', op: 'eq', value: 0 },
      ],
    }),
    list('customer', 'by name', { sort: [{ field: 'py', dir: 'asc' }] }),
    list('customer', 'by level', { sort: [{ field: 'level', dir: 'asc' }] }),
    list('customer', 'overdue', { tab: 'overdue' }),
    {
      name: 'customer counts',
      path: '/mini/customer/count',
      body: { tabs: ['mine', 'today', 'overdue', 'recycling'] },
    },
    list('customer', 'two filters', {
      filters: [
        { field: 'source', op: 'in', value: ['website'] },
        { field: 'stage', op: 'in', value: ['intent'] },
      ],
    }),
    list('customer', 'keyword', { keyword: '科技' }),
    list('customer', 'by contact', { keyword: '王' }),
    { name: 'board', path: '/mini/bussiness/board', body: {} },
    list('bussiness', 'by amount', { sort: [{ field: 'amount', dir: 'desc' }] }),
    list('lead', 'keyword', { keyword: '1234' }),
    { name: 'search name', path: `/mini/search/global?keyword=${encodeURIComponent('精密')}` },
    { name: 'search phone', path: '/mini/search/global?keyword=4567' },
    { name: 'search initials', path: '/mini/search/global?keyword=jmjx' },
    ...customers.map((id) => ({ name: 'customer detail', path: `/mini/customer/detail?id=${id}` })),
    ...customers.map((id) => ({ name: 'timeline', path: `/mini/customer/timeline?id=${id}` })),
    ...leads.map((id) => ({ name: 'lead detail', path: `/mini/lead/detail?id=${id}` })),
    ...deals.map((id) => ({ name: 'bussiness detail', path: `/mini/bussiness/detail?id=${id}` })),
    ...(poolId === undefined
      ? []
      : [
          { name: 'pool list', path: '/mini/pool/customer/list', body: { poolId } },
          {
            name: 'pool by follow',
            path: '/mini/pool/customer/list',
            body: { poolId, sort: [{ field: 'last_follow_at', dir: 'desc' }] },
          },
        ]),
    list('customer', 'own sort', { sort: [{ field: 'ext.own_renew', dir: 'asc' }] }),
    list('customer', 'own filter', { filters: OWN_FILTERS.slice(0, 1).map(asExt) }),
    list('customer', 'own rare', { filters: [{ field: 'ext.own_code', op: 'eq', value: 'c77' }] }),
    list('customer', 'own two, sort', {
      filters: OWN_FILTERS.map(asExt),
      sort: [{ field: 'ext.own_amount', dir: 'desc' }],
    }),
    list('m/visit', 'list', {}),
    list('m/visit', 'own sort', { sort: [{ field: 'own_renew', dir: 'asc' }] }),
    list('m/visit', 'own rare', { filters: [{ field: 'own_code', op: 'eq', value: 'c77' }] }),
    list('m/visit', 'own two, sort', {
      filters: OWN_FILTERS,
      sort: [{ field: 'own_amount', dir: 'desc' }],
    }),
    { name: 'follow feed', path: '/mini/follow/list', body: {} },
    { name: 'follow keyword', path: '/mini/follow/list', body: { keyword: '价格' } },
    { name: 'follow rare', path: '/mini/follow/list', body: { keyword: '没有这个' } },
  ]
}

/** Sends each call at its time, whether or not earlier ones have been answered. */
async function atRate(
  calls: readonly Call[],
  perSecond: number,
  seconds: number,
  ask: Ask,
): Promise<Map<string, number[]>> {
  const names = [...new Set(calls.map(({ name }) => name))]
  const times = new Map<string, number[]>([...names, AWAY].map((name) => [name, []]))
  const under: Promise<void>[] = []
  const started = performance.now()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const wait = started + (n * 1000) / perSecond - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    const kind = names[n % names.length] ?? ''
    const same = calls.filter(({ name }) => name === kind)
    const call = same[Math.floor(n / names.length) % same.length]
    if (call === undefined) continue
    const sent = performance.now()
    under.push(
      ask(call).then(
        () => void times.get(kind)?.push(performance.now() - sent),
        (error: unknown) => {
          if (!(error instanceof TurnedAway)) throw error
          times.get(AWAY)?.push(performance.now() - sent)
        },
      ),
    )
  }
  await Promise.all(under)
  return times
}
