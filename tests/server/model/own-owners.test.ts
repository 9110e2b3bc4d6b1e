import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const {
  server,
  admin,
  demo,
  give,
  make: makeOwn,
} = await openOwnTenant([
  aModule({
    fields: [
      {
        name: 'customer_id',
        kind: 'ref',
        module: 'customer',
        label: '客户',
        inverse: { tab: 't', label: '工单' },
      },
      { name: 'others', kind: 'refs', module: 'customer', label: '相关客户' },
    ],
  }),
])
let people: readonly JsonObject[] = []
beforeAll(async () => {
  people = (await admin.post('/engine/web/user/list', {})).data.list
  for (const role of ['sales', 'sales_manager']) await give(role, 'ticket')
})
afterAll(() => server.close())

const idOf = (account: string): string => String(people.find((one) => one.account === account)?.id)
const ownerOf = async (id: string): Promise<JsonObject> =>
  (await admin.get(`/mini/m/ticket/detail?id=${id}`)).data.record
const make = (client: Client, title: string, more: JsonObject = {}) =>
  makeOwn(client, 'ticket', { title, ...more })
const messages = async (client: Client): Promise<readonly JsonObject[]> =>
  (await client.post('/mini/message/list', {})).data.list

describe('the owner of a record of an own module', () => {
  it('is notified when they receive it, and so is the former owner', async () => {
    const id = await make(admin, '打印机卡纸')
    const given = await admin.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('demo') })
    const back = await demo.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('admin') })

    expect(given.data).toMatchObject({ ok: [id], failed: [] })
    expect(back.data).toMatchObject({ ok: [id] })
    expect((await messages(demo)).map(({ url }) => url)).toContain(`/pages/m/ticket/detail?id=${id}`)
    expect(JSON.stringify(await messages(demo))).toContain('打印机卡纸')
    expect(await ownerOf(id)).toMatchObject({ owner_id: idOf('admin') })
  })

  it('is notified of a record that a colleague creates for them', async () => {
    const id = await make(admin, '给演示的', { owner_id: idOf('demo') })

    expect((await messages(demo)).map(({ url }) => url)).toContain(`/pages/m/ticket/detail?id=${id}`)
  })

  it('cannot be changed by users who may only edit, nor to a user without a right to it', async () => {
    const id = await make(demo, '我的')
    const finance = people.find((one) => one.account === 'finance')
    const refused = await demo.post('/mini/m/ticket/transfer', { ids: [id], toUserId: String(finance?.id) })
    await server.database.system((trx) =>
      sql`update role set permissions = permissions - 'm.ticket:transfer' where code = 'sales'`.execute(trx),
    )
    const again = await server.as('demo')
    const { version } = await ownerOf(id)
    const edited = await again.post('/mini/m/ticket/update', { id, version, owner_id: idOf('admin') })
    const moved = await again.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('admin') })
    await server.database.system((trx) =>
      sql`update role set permissions = permissions || '["m.ticket:transfer"]' where code = 'sales'`.execute(
        trx,
      ),
    )

    expect(refused.meta.code).toBe(409)
    expect(edited.meta.code).toBe(405)
    expect(moved.meta.code).toBe(405)
    expect(await ownerOf(id)).toMatchObject({ owner_id: idOf('demo') })
  })

  it('takes it along to another department', async () => {
    const id = await make(demo, '跟着走')
    const person = people.find((one) => one.account === 'demo') as JsonObject
    const depts = await admin.post('/engine/web/dept/list', {})
    const other = depts.data.list.find((one: JsonObject) => one.id !== person.dept_id)
    const { data } = await admin.get(`/engine/web/user/detail?id=${person.id}`)
    await admin.post('/engine/web/user/save', { ...data.record, dept_id: other.id })

    expect(await ownerOf(id)).toMatchObject({ owner_dept_id: other.id })
  })

  it('hands it over to a successor, and cannot leave before', async () => {
    const id = await make(demo, '交接的工单')
    const early = await admin.post('/engine/web/user/delete', { id: idOf('demo') })
    const moved = await admin.post('/engine/web/user/handover', { id: idOf('demo'), toUserId: idOf('admin') })
    const left = await admin.post('/engine/web/user/delete', { id: idOf('demo') })

    expect(early.data).toMatchObject({ record: expect.any(Number) })
    expect(early.meta.code).toBe(422)
    expect(moved.data.moved.record).toBeGreaterThan(0)
    expect(left.meta.code).toBe(200)
    expect(await ownerOf(id)).toMatchObject({ owner_id: idOf('admin') })
  })
})

describe('a customer that is merged into another', () => {
  it('takes along the records that refer to it', async () => {
    const customer = async (name: string, mobile: string) =>
      (await admin.post('/mini/customer/create', { name, mobile })).data.id
    const gone = await customer('合并前客户', '13800020001')
    const stays = await customer('合并后客户', '13800020002')
    const id = await make(admin, '合并的工单', { customer_id: gone, others: [gone, stays] })
    const merged = await admin.post('/mini/customer/merge', { masterId: stays, ids: [gone], take: [] })
    const detail = await admin.get(`/mini/customer/detail?id=${stays}`)

    expect(merged.meta.code).toBe(200)
    expect(await ownerOf(id)).toMatchObject({ customer_id: stays, others: [stays] })
    expect(detail.data.related).toMatchObject({ t: 1 })
  })
})
