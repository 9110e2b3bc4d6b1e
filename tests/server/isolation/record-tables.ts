import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GLOBAL_TABLES } from '../../../src/server/kernel/db/catalogue.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { NETS, nets, useAccessCheck } from './nets.ts'

let server: TestApp
let ours: Client
const theirs = { customer: '', contact: '', follow: '' }
beforeAll(async () => {
  server = await openTestApp()
  const yunfan = await server.as('yfadmin')
  const made = await yunfan.post('/mini/customer/create', {
    name: '云帆的秘密客户',
    contacts: [{ name: '秘密联系人', mobile: '13900009999' }],
  })
  theirs.customer = made.data.id
  theirs.contact = made.data.record.primary_contact_id
  const follow = await yunfan.post('/mini/follow/create', {
    target_type: 'customer',
    target_id: theirs.customer,
    method: 'call',
    content: '秘密的跟进',
  })
  theirs.follow = follow.data.id
  ours = await server.as('admin')
})
afterAll(() => server.close())

/** Every call that takes an id, with an id of the other tenant. */
const CALLS: readonly (readonly [
  string,
  () => Promise<{ meta: { code: number }; data: unknown; body: string }>,
])[] = [
  ['detail', () => ours.get(`/mini/customer/detail?id=${theirs.customer}`)],
  ['timeline', () => ours.get(`/mini/customer/timeline?id=${theirs.customer}`)],
  ['log', () => ours.get(`/mini/customer/log?id=${theirs.customer}`)],
  ['owner-record', () => ours.get(`/mini/customer/owner-record?id=${theirs.customer}`)],
  ['contacts', () => ours.get(`/mini/contact/list?customerId=${theirs.customer}`)],
  ['update', () => ours.post('/mini/customer/update', { id: theirs.customer, version: 1, remark: 'x' })],
  ['follow detail', () => ours.get(`/mini/follow/detail?id=${theirs.follow}`)],
  [
    'follow list',
    () => ours.post('/mini/follow/list', { targetType: 'customer', targetId: theirs.customer }),
  ],
  [
    'follow list of a contact',
    () => ours.post('/mini/follow/list', { targetType: 'contact', targetId: theirs.contact }),
  ],
  [
    'follow create',
    () =>
      ours.post('/mini/follow/create', {
        target_type: 'customer',
        target_id: theirs.customer,
        method: 'call',
        content: '越权',
      }),
  ],
  ['follow update', () => ours.post('/mini/follow/update', { id: theirs.follow, content: '越权' })],
  ['comment', () => ours.post('/mini/follow/comment', { id: theirs.follow, content: '越权' })],
]
const BATCHES = [
  '/mini/customer/patch',
  '/mini/customer/delete',
  '/mini/customer/restore',
  '/mini/customer/star',
  '/mini/follow/delete',
]
const SEARCHES: readonly (readonly [string, () => Promise<{ data: unknown; body: string }>])[] = [
  ['list', () => ours.post('/mini/customer/list', { keyword: '秘密' })],
  ['contact list', () => ours.post('/mini/contact/list', { keyword: '秘密' })],
  ['follow feed', () => ours.post('/mini/follow/list', { tab: 'all' })],
  ['search', () => ours.get(`/mini/search/global?keyword=${encodeURIComponent('秘密')}`)],
  ['search by phone', () => ours.get('/mini/search/global?keyword=9999')],
  ['options', () => ours.get(`/mini/customer/options?ids=${theirs.customer}`)],
  [
    'duplicates',
    () =>
      ours.post('/mini/duplicate/check', {
        entity: 'customer',
        name: '云帆的秘密客户',
        mobile: '13900009999',
      }),
  ],
  ['recents', () => ours.get('/mini/search/recent')],
]

describe.each(NETS)('another tenant, %s', (_, predicate) => {
  useAccessCheck(predicate)

  it.each(CALLS)('does not see %s', async (_name, call) => {
    const answer = await call()

    expect(answer.meta.code).toBe(404)
    expect(answer.body).not.toContain('秘密')
  })

  it.each(BATCHES)('does not see the records of a batch: %s', async (path) => {
    const ids = [theirs.customer, theirs.follow]
    const answer = await ours.post(path, { ids, ...(path.endsWith('patch') ? { level: 'A' } : {}) })

    expect(answer.data.ok).toEqual([])
    expect(answer.data.failed.map((one: { code: number }) => one.code)).toEqual([404, 404])
  })

  it.each(SEARCHES)('is not found by %s', async (_name, call) => {
    const answer = await call()

    expect(answer.body).not.toContain(theirs.customer)
    expect(answer.body.replaceAll('"highlight":"秘密"', '')).not.toContain('秘密')
  })
})

describe('tenant conditions of the application', () => {
  it('hide a colleague’s customer while they apply, and reveal it if they are removed', async () => {
    const mine = await (await server.as('demo')).post('/mini/customer/create', { name: '同事之间的客户' })
    const colleague = await server.as('zengke')
    const look = () => colleague.get(`/mini/customer/detail?id=${mine.data.id}`)

    const hidden = await look()
    nets.predicate = false
    const open = await look()
    nets.predicate = true

    expect([hidden.meta.code, open.meta.code]).toEqual([404, 200])
  })
})

describe('row-level security', () => {
  it('shows and changes no row of another tenant in any table, whatever the statement', async () => {
    const tables = await server.database.system(async (trx) => {
      const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'tenant_id'`.execute(trx)
      return rows.map((row) => row.name).filter((name) => !GLOBAL_TABLES.has(name))
    })
    expect(tables).toEqual(
      expect.arrayContaining(['customer', 'contact', 'follow', 'owner_record', 'payment']),
    )
    await server.database.tenant({ tenantId: 'xinghai', userId: 'u-admin' }, async (trx) => {
      for (const name of tables) {
        const { rows } = await sql`select 1 from ${sql.table(name)} where tenant_id <> 'xinghai'`.execute(trx)
        expect(rows, name).toEqual([])
      }
      for (const name of ['customer', 'contact', 'follow'] as const) {
        const changed =
          await sql`update ${sql.table(name)} set version = 99 where tenant_id = 'yunfan' returning id`.execute(
            trx,
          )
        const removed =
          await sql`delete from ${sql.table(name)} where tenant_id = 'yunfan' returning id`.execute(trx)
        expect([changed.rows, removed.rows]).toEqual([[], []])
      }
    })
  })

  it('accepts no row for another tenant', async () => {
    const writing = server.database.tenant({ tenantId: 'xinghai', userId: 'u-admin' }, (trx) =>
      trx
        .insertInto('pool')
        .values({
          tenant_id: 'yunfan',
          id: 'x',
          entity: 'customer',
          name: 'x',
          created_by: null,
          updated_by: null,
        })
        .execute(),
    )

    await expect(writing).rejects.toThrow(/row-level security/)
  })

  it('prevents changes to the ownership history', async () => {
    const rewriting = server.database.tenant({ tenantId: 'yunfan', userId: 'u-yfadmin' }, (trx) =>
      sql`update owner_record set kind = 'claim'`.execute(trx),
    )

    await expect(rewriting).rejects.toThrow(/permission denied/)
  })
})
