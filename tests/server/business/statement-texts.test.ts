import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import { DEMO } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { watchRoles } from '../watch-roles.ts'

/**
 * The database plans a list's statement once for everybody: its text depends only on the description, the data scope and the shape of the request.
 * Other callers and values only change the parameters.
 */
const FIELDS: readonly JsonObject[] = [
  { name: 'own_amount', kind: 'money', label: '额', filter: true, sort: true },
  { name: 'own_town', kind: 'text', label: '镇', filter: true, sort: true },
]
const MODULES = [
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'product',
  'activity',
] as const
const POOLED = ['customer', 'lead', 'bussiness'] as const
const VISIT = {
  name: 'visit',
  label: '拜访',
  title: 'title',
  behaviours: ['owned'],
  fields: [{ name: 'title', kind: 'text', label: '标题', required: true, search: true }, ...FIELDS],
}

let server: TestApp
let texts: Set<string> | null = null
let count = 0
/** Two people of each scope: self, department, all. */
const people = new Map<string, readonly [Client, Client]>()

/** Statements of a tenant's calls; jobs that iterate over all tenants have schedules of their own. */
const watched = watchRoles((role, text) => {
  if (role !== 'crm_app') return
  texts?.add(text)
  count += 1
})

beforeAll(async () => {
  server = await openTestApp({}, DEMO, watched)
  const admin = await server.as('admin')
  for (const name of MODULES)
    right(await admin.post('/engine/web/module/save', { description: { name, fields: [...FIELDS] } }))
  right(await admin.post('/engine/web/module/save', { description: VISIT }))
  await server.database.owner(async (trx) => {
    await sql`update role set permissions = permissions || '["m.visit:view", "m.visit:add"]'
      where tenant_id = 'xinghai'`.execute(trx)
    // One of the managers has a subordinate department and a record that is shared with them; so does one of the salespeople.
    await sql`insert into department (tenant_id, id, parent_id, name, path, leader_id, sort)
      values ('xinghai', 'xh-sales-1-a', 'xh-sales-1', '一部甲组', 'xh-root/xh-sales/xh-sales-1/xh-sales-1-a/', 'u-manager', 9)`.execute(
      trx,
    )
    await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level)
      select 'xinghai', e.name, e.record, u.id, 'read'
      from (values ('u-demo'), ('u-manager')) u (id), lateral (values
        ('customer', (select id from customer where tenant_id = 'xinghai' and owner_id is not null and owner_id <> u.id and deleted_at is null limit 1)),
        ('lead', (select id from lead where tenant_id = 'xinghai' and owner_id is not null and owner_id <> u.id and deleted_at is null limit 1))) e (name, record)
      on conflict do nothing`.execute(trx)
  })
  for (const [scope, one, other] of [
    ['own', 'demo', 'sunyue'],
    ['department', 'manager', 'tangwei'],
    ['all', 'director', 'director'],
  ] as const)
    people.set(scope, [await server.as(one), await server.as(other)])
  // Statements that only the first call of a session needs.
  for (const pair of people.values()) for (const client of pair) await client.get('/mini/user/options')
  for (const person of new Set([...people.values()].flat()))
    for (const title of ['一', '二'])
      right(await person.post('/mini/m/visit/create', { title, own_amount: 5 }))
}, 300_000)
afterAll(() => server.close())

/** The reading statements of a call. */
async function textsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const mine = new Set<string>()
  texts = mine
  try {
    await work()
  } finally {
    texts = null
  }
  // How far a list was walked is queried only if its page is not full, which depends on the data.
  return [...mine].filter((text) => /^\s*(select|with)\b/i.test(text) && !/\) walked$/.test(text)).sort()
}

/** The same request with the values of one person and of another. */
interface Shape {
  readonly what: string
  readonly each: readonly [JsonObject, JsonObject]
}

function shapesOf({ path, ext }: Subject): readonly Shape[] {
  const filters = (amount: readonly number[], town: readonly string[]): Json => [
    { field: ext('own_amount'), op: 'between', value: [...amount] },
    { field: ext('own_town'), op: 'in', value: [...town] },
  ]
  return [
    { what: 'as it opens', each: [{}, {}] },
    { what: 'longer page', each: [{ limit: 10 }, { limit: 50 }] },
    { what: 'keyword', each: [{ keyword: '没有甲' }, { keyword: '没有这样的乙' }] },
    { what: 'sorted by an own field', each: [sorted(ext('own_amount')), sorted(ext('own_amount'))] },
    {
      what: 'filtered by own fields',
      each: [{ filters: filters([1, 5], ['甲']) }, { filters: filters([0, 9], ['乙', '丙', '丁']) }],
    },
    {
      what: 'with counts',
      each: [
        { withTabs: true, withTotal: true },
        { withTabs: true, withTotal: true },
      ],
    },
    // Activities are filtered by the time at which they take place.
    ...(path.endsWith('activity')
      ? []
      : [
          {
            what: 'after a time',
            each: [created('2020-01-01 00:00:00'), created('2026-03-01 00:00:00')] as const,
          },
        ]),
  ]
}
const sorted = (field: string): JsonObject => ({ sort: [{ field, dir: 'desc' }] })
const created = (from: string): JsonObject => ({
  filters: [{ field: 'created_at', op: 'between', value: [from, '2030-01-01 00:00:00'] }],
})

interface Subject {
  readonly path: string
  readonly ext: (name: string) => string
}
const own = (name: string) => `ext.${name}`
const SUBJECTS: readonly Subject[] = [
  ...MODULES.map((name) => ({ path: `/mini/${name}`, ext: own })),
  ...POOLED.map((name) => ({ path: `/mini/pool/${name}`, ext: own })),
  { path: '/mini/m/visit', ext: (name) => name },
]

it.each(SUBJECTS)('$path uses the same statements for all users and values', async (subject) => {
  const differing: string[] = []
  for (const [scope, pair] of people) {
    for (const { what, asked } of callsOf(subject)) {
      const [one, other] = [await asked(pair[0], 0), await asked(pair[1], 1)]
      expect(one.length).toBeGreaterThan(0)
      if (!areSame(one, other)) differing.push(`${scope}, ${what}: ${difference(one, other)}`)
    }
  }

  expect(differing).toEqual([])
})

const PHONES = ['13911112221', '13911112222']
const NEW: readonly (readonly [string, number, (n: number) => JsonObject])[] = [
  [
    'customer/create',
    12,
    (n) => ({
      ...FULL_CUSTOMER,
      name: `数语句的客户${n}`,
      credit_code: null,
      mobile: PHONES[n] ?? '',
      confirm: ['DUPLICATE_PHONE'],
    }),
  ],
  [
    'lead/create',
    12,
    (n) => ({
      ...FULL_LEAD,
      name: `线索${n}`,
      company: `数语句的公司${n}`,
      mobile: PHONES[n] ?? '',
      confirm: ['DUPLICATE_PHONE'],
    }),
  ],
  ['customer/list', 3, () => ({})],
  ['lead/list', 3, () => ({})],
  ['m/visit/create', 12, (n) => ({ title: `第${n}次`, own_amount: 3, own_town: '甲' })],
  ['m/visit/list', 3, () => ({})],
]

it.each(NEW)(
  '%s needs at most %i statements, without those that open and close its transaction',
  async (path, most, body) => {
    const [demo] = people.get('own') ?? []
    // The first call of a kind fills a cache.
    for (const n of PHONES.keys()) {
      count = 0
      right((await demo?.post(`/mini/${path}`, body(n))) as never)
    }

    expect(count).toBeLessThanOrEqual(most)
  },
)

interface Call {
  readonly what: string
  /** The statements of a call as one person or the other. */
  readonly asked: (client: Client, at: 0 | 1) => Promise<readonly string[]>
}

function callsOf(subject: Subject): readonly Call[] {
  const { path } = subject
  const call = (what: string, ask: (client: Client, at: 0 | 1) => Promise<unknown>): Call => ({
    what,
    asked: (client, at) => textsOf(() => ask(client, at)),
  })
  const shapes = shapesOf(subject)
  const lists = shapes.map(({ what, each }) =>
    call(what, async (client, at) => right(await client.post(`${path}/list`, each[at]))),
  )
  return [
    ...lists,
    call('counted', async (client) => right(await client.post(`${path}/count`))),
    // Records of a pool have no neighbours.
    ...(path.includes('/pool/')
      ? []
      : shapes
          .filter(({ what }) => what !== 'longer page' && what !== 'with counts')
          .map(
            ({ what, each }): Call => ({
              what: `neighbours, ${what}`,
              asked: (client, at) => textsOfNeighbours(client, path, each[at]),
            }),
          )),
    ...(path === '/mini/bussiness'
      ? [call('summed', async (client) => right(await client.post(`${path}/board`)))]
      : []),
  ]
}

/** The statements of a detail that look for the neighbours of its record. */
async function textsOfNeighbours(client: Client, path: string, list: JsonObject): Promise<readonly string[]> {
  const [first] = right(await client.post(`${path}/list`, {})).list
  const detail = `${path}/detail?id=${first.id}`
  const plain = await textsOf(async () => right(await client.get(detail)))
  const from = encodeURIComponent(JSON.stringify(list))
  const all = await textsOf(async () => right(await client.get(`${detail}&from=${from}`)))
  return all.filter((text) => !plain.includes(text))
}

const isWalk = (text: string): boolean => /^select walked\.id\b/.test(text)

/** Equal statements; how many parts of a list are read until its page is full depends on the data. */
function areSame(one: readonly string[], other: readonly string[]): boolean {
  const plain = (texts: readonly string[]) => JSON.stringify(texts.filter((text) => !isWalk(text)))
  const walks = [one, other].map((texts) => texts.filter(isWalk)).sort((a, b) => a.length - b.length)
  const [few = [], many = []] = walks
  return plain(one) === plain(other) && few.every((text) => many.includes(text))
}

/** The position of the first two statements that differ. */
function difference(one: readonly string[], other: readonly string[]): string {
  const mine = one.filter((text) => !other.includes(text))[0] ?? ''
  const theirs = other.filter((text) => !one.includes(text))[0] ?? ''
  const at = [...mine].findIndex((char, i) => char !== theirs[i])
  const near = (text: string) => text.slice(Math.max(0, at - 60), at + 120).replace(/\s+/g, ' ')
  return `${one.length}/${other.length} … ${near(mine)} ≠ ${near(theirs)}`
}
