import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESOURCES } from '../../../src/server/http/resources.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'
import { NETS, useAccessCheck } from './nets.ts'

type Method = 'get' | 'post'
interface Route {
  readonly method: Method
  readonly path: string
}

/** Background work: its results are tested in tests/server/sheets. */
const LATER = /\/(?:export|import\/\w+|transfer\/many)$/

/** Every route of these records, read from the resources themselves. */
const PREFIXES = ['customer', 'contact', 'lead', 'bussiness', 'pool', 'follow', 'duplicate', 'search']
const ROUTES: readonly Route[] = collectRoutes().filter(
  ({ path }) => PREFIXES.includes(path.split('/')[2] ?? '') && !LATER.test(path),
)

/** Routes that take no record id: their lists are checked by content. */
const LISTS: Readonly<Record<string, object>> = {
  'post /mini/customer/list': { keyword: '秘密' },
  'post /mini/customer/count': {},
  'post /mini/customer/nearby': { lng: 113.9, lat: 22.5, radius: 50 },
  'get /mini/customer/options': {},
  'post /mini/customer/view/list': {},
  'post /mini/contact/list': { keyword: '秘密' },
  'post /mini/contact/count': {},
  'get /mini/contact/options': {},
  'post /mini/contact/view/list': {},
  'post /mini/customer/deleted': {},
  'post /mini/contact/deleted': {},
  'post /mini/lead/deleted': {},
  'post /mini/bussiness/deleted': {},
  'post /mini/lead/list': { keyword: '秘密' },
  'post /mini/lead/count': {},
  'get /mini/lead/options': {},
  'post /mini/lead/view/list': {},
  'post /mini/bussiness/list': { keyword: '秘密' },
  'post /mini/bussiness/count': {},
  'get /mini/bussiness/options': {},
  'post /mini/bussiness/view/list': {},
  'post /mini/bussiness/board': {},
  'post /mini/bussiness/forecast': {},
  'get /mini/follow/visits': {},
  'get /mini/bussiness/flow/list': {},
  'get /mini/pool/list': { entity: 'customer' },
  'post /mini/pool/customer/count': {},
  'post /mini/pool/lead/count': {},
  'post /mini/pool/bussiness/count': {},
  'post /mini/duplicate/check': { entity: 'customer', name: '云帆的秘密客户', mobile: '13900009999' },
  'get /mini/search/global': { keyword: '秘密' },
  'get /mini/search/recent': {},
}
/** Routes that create a record without referring to another. */
const MAKES = new Set([
  'post /mini/customer/create',
  'post /mini/lead/create',
  ...['customer', 'contact', 'lead', 'bussiness'].map((entity) => `post /mini/${entity}/view/save`),
])

/** The other parameters of each remaining route; `$id` stands for the foreign id, followed by its kind. */
const ENTITY_OF = (path: string) =>
  path.startsWith('/mini/pool/') ? (path.split('/')[3] ?? 'pool') : (path.split('/')[2] ?? '')
const EXTRA: Readonly<Record<string, object>> = {
  patch: { remark: 'x', level: 'A' },
  update: { version: 1, name: '越权改名', content: '越权' },
  transfer: { toUserId: 'u-demo' },
  deal: { dealStatus: 1 },
  lock: { lock: true },
  merge: { masterId: '$id', ids: ['nobody'] },
  reveal: { field: 'mobile' },
  save: { members: [{ userId: 'u-demo', level: 'read' }] },
  remove: { userIds: ['u-demo'] },
  leave: { reason: 'x' },
  move: { customerId: '$id', poolId: '' },
  convert: { customer: { mode: 'create' } },
  invalid: { reason: 'no_need' },
  status: { status: 20 },
  stage: { stageId: 'signing' },
  lose: { reason: 'price' },
  claim: { poolId: '$pool' },
  assign: { toUserIds: ['u-demo'] },
  setting: { settings: {} },
  request: { targetId: '$id', reason: 'x' },
}

let server: TestApp
const theirs: Record<string, string> = {}
const ours: Record<string, string> = {}
let yunfan: Client
let admin: Client
let demo: Client
let seller: Client
let before: string
beforeAll(async () => {
  server = await openTestApp()
  yunfan = await server.as('yfadmin')
  admin = await server.as('admin')
  demo = await server.as('demo')
  seller = await server.as('zengke')
  await makeRecords(yunfan, theirs, '云帆')
  await makeRecords(demo, ours, '星海')
  await makePooled(yunfan, theirs)
  before = await snapshot()
}, 90_000)
afterAll(() => server.close())

const asked = ROUTES.filter(({ method, path }) => {
  const key = `${method} ${path}`
  return !(key in LISTS) && !MAKES.has(key)
})

it('the list of routes under test is complete', () => {
  expect(ROUTES.length).toBeGreaterThan(90)
  for (const key of [...Object.keys(LISTS), ...MAKES])
    expect(ROUTES.map(({ method, path }) => `${method} ${path}`)).toContain(key)
})

describe.each(NETS)('another tenant, %s', (_, predicate) => {
  useAccessCheck(predicate)

  it.each(asked.map(({ method, path }) => [method, path] as const))(
    'does not see %s %s',
    async (method, path) => {
      const answer = await ask(admin, { method, path }, theirs)

      expectNothing(answer)
      expect(await snapshot()).toBe(before)
    },
  )

  it.each(Object.entries(LISTS))('appears in no answer of %s', async (key, body) => {
    const [method = 'get', path = ''] = key.split(' ')
    const answer = await call(admin, method as Method, path, body)

    expect(answer.meta.code).toBe(200)
    for (const id of Object.values(theirs)) expect(answer.body).not.toContain(id)
    expect(answer.body.replaceAll('"highlight":"秘密"', '')).not.toContain('云帆的秘密')
  })
})

describe('a colleague without a right to the record', () => {
  it.each(
    asked
      .filter(({ path }) => !path.startsWith('/mini/pool/') && !path.startsWith('/mini/duplicate/'))
      .map(({ method, path }) => [method, path] as const),
  )('learns nothing from %s %s', async (method, path) => {
    const answer = await ask(seller, { method, path }, ours)

    expectNothing(answer)
    expect(await snapshot()).toBe(before)
  })
})

/** 404 or 405, for each record if there are several; never its data. */
function expectNothing(answer: Answer): void {
  const failed = answer.data?.failed as readonly { readonly code: number }[] | undefined
  if (answer.meta.code === 200 && failed !== undefined) {
    expect(answer.data.ok).toEqual([])
    for (const one of failed) expect([404, 405]).toContain(one.code)
  } else expect([404, 405], answer.body).toContain(answer.meta.code)
  expect(answer.body).not.toContain('秘密')
}

function ask(
  client: Client,
  { method, path }: Route,
  ids: Readonly<Record<string, string>>,
): Promise<Answer> {
  const entity = ENTITY_OF(path)
  const inPool = path.startsWith('/mini/pool/') && path.split('/').length > 4
  const id = (inPool ? ids[`pooled_${entity}`] : ids[entity]) ?? ids.customer ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (path === '/mini/contact/list') return call(client, 'get', path, { customerId: ids.customer ?? '' })
  if (path === '/mini/contact/create')
    return call(client, 'post', path, {
      customer_id: ids.customer ?? '',
      name: '越权',
      mobile: '13900001111',
    })
  if (path === '/mini/bussiness/create')
    return call(client, 'post', path, {
      customer_id: ids.customer ?? '',
      amount: 1,
      expected_date: '2026-05-01',
    })
  if (path === '/mini/follow/list')
    return call(client, 'post', path, { targetType: 'customer', targetId: ids.customer ?? '' })
  if (path === '/mini/follow/create')
    return call(client, 'post', path, {
      target_type: 'customer',
      target_id: ids.customer ?? '',
      method: 'call',
      content: '越权',
    })
  if (path === '/mini/follow/call-start')
    return call(client, 'post', path, {
      targetType: 'customer',
      targetId: ids.customer ?? '',
      phone: '13900001111',
    })
  if (name === 'choices') return call(client, 'get', path, { id, other: id })
  if (name === 'list') return call(client, 'post', path, { poolId: ids[`pool_${entity}`] ?? '' })
  if (name === 'release') return call(client, 'post', path, { ids: [id], reason: 'other' })
  if (name === 'comment') return call(client, 'post', path, { id, content: '越权' })
  const fill = (value: unknown): unknown =>
    value === '$id' ? id : value === '$pool' ? ids[`pool_${entity}`] : value
  const extra = Object.fromEntries(
    Object.entries(EXTRA[name] ?? {}).map(([key, value]) => [key, fill(value)]),
  )
  return call(client, method, path, method === 'get' ? { id } : { id, ids: [id], ...without(path, extra) })
}

/** Omits fields that a kind of record does not have, so that the answer is about the id. */
function without(path: string, extra: Readonly<Record<string, unknown>>): object {
  const { remark, level, content, name, ...rest } = extra
  if (path.endsWith('/patch')) {
    if (path.includes('/contact/')) return { position: 'x' }
    return path.includes('/bussiness/')
      ? { type: 'renewal' }
      : { level: path.includes('/lead/') ? 'hot' : 'A' }
  }
  if (path === '/mini/follow/update') return { ...rest, content: '越权' }
  if (path.endsWith('/update')) return { ...rest, name }
  return {
    ...(remark === undefined ? {} : { remark }),
    ...(level === undefined ? {} : { level }),
    ...(content === undefined ? {} : { content }),
    ...rest,
  }
}

function call(client: Client, method: Method, path: string, body: object): Promise<Answer> {
  if (method === 'post') return client.post(path, body as Record<string, never>)
  return client.get(`${path}?${new URLSearchParams(body as Record<string, string>)}`)
}

async function makeRecords(client: Client, ids: Record<string, string>, who: string): Promise<void> {
  const customer = await client.post('/mini/customer/create', {
    name: `${who}的秘密客户`,
    lng: 113.9,
    lat: 22.5,
    contacts: [{ name: '秘密联系人', mobile: who === '云帆' ? '13900009999' : '13900008888' }],
  })
  ids.customer = customer.data.id
  ids.contact = customer.data.record.primary_contact_id
  const lead = await client.post('/mini/lead/create', {
    name: `${who}的秘密线索`,
    mobile: who === '云帆' ? '13900007777' : '13900006666',
    source: 'website',
  })
  ids.lead = lead.data.id
  const deal = await client.post('/mini/bussiness/create', {
    customer_id: customer.data.id,
    name: `${who}的秘密商机`,
    amount: 5,
    expected_date: '2026-05-01',
  })
  ids.bussiness = deal.data.id
  const follow = await client.post('/mini/follow/create', {
    target_type: 'customer',
    target_id: customer.data.id,
    method: 'call',
    content: '秘密的跟进',
  })
  ids.follow = follow.data.id
}

/** One record of each kind in a pool of the other tenant. */
async function makePooled(client: Client, ids: Record<string, string>): Promise<void> {
  ids.pool = 'yunfan-pool-customer'
  const customer = await client.post('/mini/customer/create', { name: '云帆的秘密公海客户' })
  const holder = await client.post('/mini/customer/create', { name: '云帆的秘密持有客户' })
  const lead = await client.post('/mini/lead/create', {
    name: '云帆的秘密池线索',
    mobile: '13900005555',
    source: 'website',
  })
  const deal = await client.post('/mini/bussiness/create', {
    customer_id: holder.data.id,
    amount: 5,
    expected_date: '2026-05-01',
  })
  for (const [entity, made] of Object.entries({ customer, lead, bussiness: deal })) {
    ids[`pool_${entity}`] = `yunfan-pool-${entity}`
    ids[`pooled_${entity}`] = made.data.id
    const released = await client.post(`/mini/${entity}/release`, { ids: [made.data.id], reason: 'other' })
    expect(released.data.ok).toHaveLength(1)
  }
}

/** Everything the calls could have changed. */
async function snapshot(): Promise<string> {
  const tables = [
    'customer',
    'contact',
    'lead',
    'bussiness',
    'follow',
    'follow_comment',
    'follow_like',
    'phone_call',
    'collaborator',
    'star',
    'owner_record',
    'pool',
  ]
  const { rows } = await server.database.system((trx) =>
    sql<object>`select ${sql.join(tables.map((table) => sql`(select md5(coalesce(string_agg(x::text, '|' order by x::text), '')) from ${sql.table(table)} x) as ${sql.ref(table)}`))}`.execute(
      trx,
    ),
  )
  return JSON.stringify(rows[0])
}

/** Registers the resources on a recorder instead of a server. */
function collectRoutes(): readonly Route[] {
  const routes: Route[] = []
  const recorder = {
    get: (path: string) => routes.push({ method: 'get', path }),
    post: (path: string) => routes.push({ method: 'post', path }),
    addHook: () => undefined,
  }
  for (const resource of RESOURCES) resource(recorder as never, { config: {} } as never)
  return routes
}
