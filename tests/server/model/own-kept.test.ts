import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({
    behaviours: ['owned', 'follow', 'recycle'],
    fields: [
      {
        name: 'customer_id',
        kind: 'ref',
        module: 'customer',
        label: '客户',
        inverse: { tab: 't', label: '工单' },
      },
      { name: 'due', kind: 'moment', label: '期限' },
    ],
  }),
  aModule({ name: 'note', label: '便签', behaviours: ['follow'] }),
])
beforeAll(async () => {
  await give('sales', 'ticket')
})
afterAll(() => server.close())

/** A client's copy, brought up to date. */
function aCopy(client: Client, entities: readonly string[]) {
  const kept = new Map<string, JsonObject>()
  let since: string | null = null
  return async (): Promise<{ readonly kept: ReadonlyMap<string, JsonObject>; readonly reset: boolean }> => {
    let wasReset = false
    for (let more = true; more; ) {
      const answer = right(await client.post('/mini/sync/changes', { since, entities: [...entities] }))
      if (answer.reset) kept.clear()
      wasReset ||= answer.reset
      for (const { id, record } of answer.changed) kept.set(id, record)
      for (const { id } of answer.deleted) kept.delete(id)
      since = answer.next
      more = answer.hasMore
    }
    return { kept, reset: wasReset }
  }
}

describe('a copy on a device', () => {
  it('has the visible records of own modules, and receives changes and removals', async () => {
    const id = await make(demo, 'ticket', { title: '原有的', due: '2026-03-20 18:00:00' })
    const theirs = await make(admin, 'ticket', { title: '别人的' })
    const { owner_id } = right(await admin.get(`/mini/m/ticket/detail?id=${theirs}`)).record
    const update = aCopy(demo, ['record'])
    const first = await update()
    const later = await make(demo, 'ticket', { title: '后来的' })
    right(await admin.post('/mini/m/ticket/transfer', { ids: [theirs], toUserId: 'u-demo' }))
    right(await demo.post('/mini/m/ticket/update', { id, version: 1, title: '改过的' }))
    const second = await update()
    const held = new Map(second.kept)
    right(await demo.post('/mini/m/ticket/delete', { ids: [later] }))
    right(await demo.post('/mini/m/ticket/transfer', { ids: [theirs], toUserId: owner_id }))
    const third = await update()

    expect([first.reset, second.reset, third.reset]).toEqual([true, false, false])
    expect(held.get(id)).toMatchObject({
      module: 'ticket',
      title: '改过的',
      due: '2026-03-20 18:00:00',
      version: 2,
    })
    expect([...held.keys()].sort()).toEqual([id, theirs, later].sort())
    expect([...third.kept.keys()]).toEqual([id])
  })

  it('has the formulas of a record, and no rollups', async () => {
    const formula = (name: string, rule: JsonObject) => ({
      name,
      kind: 'formula',
      label: name,
      result: 'number',
      formula: rule,
    })
    const fields = [
      { name: 'price', kind: 'money', label: '单价' },
      formula('twice', { '*': [{ var: 'price' }, 2] }),
      {
        name: 'tickets',
        kind: 'rollup',
        label: '工单数',
        rollup: { module: 'ticket', by: 'customer_id', of: 'count' },
      },
      formula('more', { '+': [{ var: 'tickets' }, { var: 'price' }] }),
    ]
    right(await admin.post('/engine/web/module/save', { description: { name: 'customer', fields } }))
    right(await admin.post('/engine/web/field/save', { module: 'ticket', field: fields[0] ?? {} }))
    right(await admin.post('/engine/web/field/save', { module: 'ticket', field: fields[1] ?? {} }))
    const { id } = right(
      await demo.post('/mini/customer/create', {
        name: '副本客户',
        mobile: '13800040009',
        ext: { price: 2.5 },
      }),
    )
    const ticket = await make(demo, 'ticket', { title: '算的', price: 4, customer_id: id })
    const { kept } = await aCopy(demo, ['customer', 'record'])()

    expect(kept.get(id)).toMatchObject({ ext_price: 2.5, ext_twice: 5 })
    expect(kept.get(id)).not.toHaveProperty('ext_tickets')
    expect(kept.get(id)).not.toHaveProperty('ext_more')
    expect(kept.get(ticket)).toMatchObject({ price: 4, twice: 8 })
    right(await demo.post('/mini/m/ticket/delete', { ids: [ticket] }))
  })

  it('starts again when a module is granted, and forgets what it may not see', async () => {
    const update = aCopy(demo, ['record'])
    await update()
    const note = await make(admin, 'note', { title: '大家的' })
    const before = await update()
    const without = before.kept.has(note)
    await give('sales', 'note')
    const after = await update()

    expect([without, after.reset, after.kept.has(note)]).toEqual([false, true, true])
  })

  it('has the follow-ups of its records', async () => {
    const id = await make(demo, 'ticket', { title: '跟进过的' })
    const update = aCopy(demo, ['follow'])
    await update()
    const follow = { target_type: 'm/ticket', target_id: id, method: 'call', content: '电话沟通' }
    const made = right(await demo.post('/mini/follow/create', follow))
    const heard = (await update()).kept.get(made.id)
    right(await demo.post('/mini/m/ticket/delete', { ids: [id] }))

    expect(heard).toMatchObject({ target_type: 'm/ticket', target_id: id, content: '电话沟通' })
    expect((await update()).kept.has(made.id)).toBe(false)
  })
})

describe('an offline write', () => {
  it('becomes a record of an own module on a customer created in the same batch, once', async () => {
    const customer = { clientToken: 'off-customer', path: '/mini/customer/create', tempId: 'tmp:c' }
    const ops = [
      { ...customer, body: { name: '离线登记的客户', mobile: '13800040001' } },
      {
        clientToken: 'off-ticket',
        path: '/mini/m/ticket/create',
        tempId: 'tmp:t',
        body: { title: '离线工单', customer_id: 'tmp:c' },
      },
      {
        clientToken: 'off-follow',
        path: '/mini/follow/create',
        body: { target_type: 'm/ticket', target_id: 'tmp:t', method: 'call', content: '路上记的' },
      },
    ]
    const sent = right(await demo.post('/mini/sync/outbox', { ops }))
    const again = right(await demo.post('/mini/sync/outbox', { ops }))
    const customerId = sent.ids['tmp:c']
    const detail = right(await demo.get(`/mini/customer/detail?id=${customerId}`))
    const listed = right(
      await demo.post('/mini/m/ticket/list', {
        filters: [{ field: 'customer_id', op: 'eq', value: customerId }],
      }),
    ).list

    expect(sent.results.map(({ meta }: JsonObject) => (meta as JsonObject).code)).toEqual([200, 200, 200])
    expect(again.ids).toEqual(sent.ids)
    expect(detail.related).toMatchObject({ t: 1 })
    expect(listed).toMatchObject([{ id: sent.ids['tmp:t'], title: '离线工单' }])
  })
})

describe('the general feed', () => {
  const feed = async (client: Client, body: JsonObject = {}): Promise<readonly string[]> =>
    right(await client.post('/mini/follow/list', body)).list.map(({ content }: JsonObject) => content)
  const write = async (client: Client, type: string, id: string, content: string) =>
    right(
      await client.post('/mini/follow/create', { target_type: type, target_id: id, method: 'call', content }),
    )

  it('has the follow-ups on visible records of own modules, with their record', async () => {
    const mine = await make(demo, 'ticket', { title: '我的工单' })
    const theirs = await make(admin, 'ticket', { title: '管理员的工单' })
    const note = await make(admin, 'note', { title: '公共便签' })
    await write(demo, 'm/ticket', mine, '我的动态')
    await write(admin, 'm/ticket', theirs, '管理员的动态')
    await write(admin, 'm/note', note, '便签的动态')
    const rows = right(await demo.post('/mini/follow/list', {})).list

    expect(await feed(demo)).toEqual(expect.arrayContaining(['我的动态', '便签的动态']))
    expect(await feed(demo)).not.toContain('管理员的动态')
    expect(await feed(admin)).toEqual(expect.arrayContaining(['我的动态', '管理员的动态', '便签的动态']))
    expect(rows).toContainEqual(expect.objectContaining({ content: '我的动态', record_title: '我的工单' }))
    for (const request of [
      { tab: 'mine' },
      { keyword: '我的动态' },
      { sort: [{ field: 'created_at', dir: 'desc' }] },
      { filters: [{ field: 'author_id', op: 'eq', value: 'u-demo' }] },
    ])
      expect(await feed(demo, request), JSON.stringify(request)).toContain('我的动态')
    expect(await feed(await server.as('yfadmin'), { keyword: '动态' })).toEqual([])
  })

  it('follows the record from owner to owner, into the recycle bin and back', async () => {
    const id = await make(admin, 'ticket', { title: '转手的' })
    await write(admin, 'm/ticket', id, '转手的动态')
    const before = await feed(demo)
    right(await admin.post('/mini/m/ticket/transfer', { ids: [id], toUserId: 'u-demo' }))
    const given = await feed(demo)
    right(await demo.post('/mini/m/ticket/delete', { ids: [id] }))
    const deleted = await feed(demo)
    right(await demo.post('/mini/m/ticket/restore', { ids: [id] }))
    const back = await feed(demo)

    expect([before, given, deleted, back].map((some) => some.includes('转手的动态'))).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('omits those of a deleted module, and has them again when the module is restored', async () => {
    right(await admin.post('/engine/web/module/delete', { name: 'note' }))
    const gone = await feed(admin)
    right(
      await admin.post('/engine/web/module/save', {
        description: aModule({ name: 'note', label: '便签', behaviours: ['follow'] }),
      }),
    )

    expect(gone).not.toContain('便签的动态')
    expect(await feed(admin)).toContain('便签的动态')
  })
})
