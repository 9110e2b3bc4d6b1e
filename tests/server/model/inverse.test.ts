import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, save } = await openOwnTenant()
afterAll(() => server.close())

const ref = (name: string, module: string, tab: string): JsonObject => ({
  name,
  kind: 'ref',
  module,
  label: '所属',
  inverse: { tab, label: '工单' },
})
const TICKET = aModule({
  fields: [
    ref('customer_id', 'customer', 'tickets'),
    ref('contract_id', 'contract', 'tickets'),
    ref('visit_id', 'visit', 'follow_ups'),
  ],
})
const VISIT = aModule({ name: 'visit', label: '拜访记录' })

describe('records that refer to another record', () => {
  let customer = ''
  beforeAll(async () => {
    await save(VISIT)
    await save(TICKET)
    const made = await demo.post('/mini/customer/create', { name: '工单所属客户', mobile: '13800010001' })
    customer = made.data.id
  })

  it('are a tab on the detail page of a product’s module, with an add button that fills in the reference', async () => {
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/customer/my/detail')
    const page = JSON.parse(body)
    const tabs = page.widgetList.find((one: JsonObject) => one.type === 'quick-tabs')
    const at = page.widgetList.findIndex(
      (one: { options?: JsonObject }) => one.options?.name === 'inverse_tickets',
    )

    expect(tabs.options.optionItems.at(-1)).toMatchObject({ label: '工单', value: 'tickets' })
    expect(page.widgetList[at].options.on.rowClick[0].url).toBe('/pages/m/ticket/detail?id={{ row.id }}')
    expect(page.widgetList[at - 1].widgetList[0].options.on.click[0]).toMatchObject({
      url: '/pages/m/ticket/add',
      query: { customer_id: '{{ params.id }}', customer_id_name: '{{ data.detail.record.name }}' },
    })
  })

  it('are listed and counted there as far as the user sees them', async () => {
    await admin.post('/mini/m/ticket/create', { title: '屏幕不亮', customer_id: customer })
    await admin.post('/mini/m/ticket/create', { title: '别的' })
    const detail = await admin.get(`/mini/customer/detail?id=${customer}`)
    const listed = await admin.post('/mini/m/ticket/list', {
      filters: [{ field: 'customer_id', op: 'eq', value: customer }],
    })
    const theirs = await demo.get(`/mini/customer/detail?id=${customer}`)

    expect(detail.data.related).toMatchObject({ tickets: 1, contact: expect.any(Number) })
    expect(listed.data.list).toMatchObject([{ title: '屏幕不亮' }])
    expect(theirs.data.related).not.toHaveProperty('tickets')
  })

  it('are a tab and a count if a module of the product is referred to, in pools too', async () => {
    const field = {
      ...ref('brought_by', 'customer', 'brought'),
      label: '介绍客户',
      inverse: { tab: 'brought', label: '介绍的客户' },
    }
    const device = {
      ...ref('visit_ref', 'visit', 'products'),
      label: '拜访',
      inverse: { tab: 'products', label: '产品' },
    }
    for (const [module, one] of [
      ['customer', field],
      ['contract', { ...field, name: 'via', inverse: { tab: 'deals', label: '介绍的合同' } }],
      ['product', device],
    ] as const)
      expect((await admin.post('/engine/web/field/save', { module, field: one })).meta.code).toBe(200)
    const visit = await admin.post('/mini/m/visit/create', { title: '看产品' })
    const make = (client: Client, name: string, brought_by: string) =>
      client.post('/mini/customer/create', { name, ext: { brought_by } })
    await make(demo, '介绍来的一号有限公司', customer)
    const gone = await make(demo, '介绍来的二号有限公司', customer)
    await make(admin, '介绍来的三号有限公司', customer)
    await demo.post('/mini/customer/release', { ids: [gone.data.id], reason: 'other' })
    const mine = await demo.get(`/mini/customer/detail?id=${customer}`)
    const all = await admin.get(`/mini/customer/detail?id=${customer}`)
    const listed = await demo.post('/mini/customer/list', {
      filters: [{ field: 'ext.brought_by', op: 'eq', value: customer }],
    })
    const page = (await demo.get('/engine/web/page/detail?path=/pages/customer/my/detail')).body
    await demo.post('/mini/customer/release', { ids: [customer], reason: 'other' })
    const manager = await server.as('manager')
    const pooled = await manager.get(`/mini/pool/customer/detail?id=${customer}`)
    const poolPage = (await manager.get('/engine/web/page/detail?path=/pages/customer/pool/detail')).body
    const visits = await admin.get(`/mini/m/visit/detail?id=${visit.data.id}`)

    expect(mine.data.related).toMatchObject({ brought: 1, deals: 0 })
    expect(all.data.related).toMatchObject({ brought: 2 })
    expect(listed.data.list).toMatchObject([{ name: '介绍来的一号有限公司' }])
    expect(page).toContain('{"field":"ext.brought_by","op":"eq","value":"{{ params.id }}"}')
    expect(page).toContain('"url":"/pages/customer/my/detail?id={{ row.id }}"')
    expect(pooled.data.related.brought).toEqual(expect.any(Number))
    expect(poolPage).toContain('inverse_brought')
    expect(visits.data.related).toMatchObject({ products: 0 })
  })

  it('can be created there if they are records of a product’s module', async () => {
    const { body } = await demo.get('/engine/web/page/detail?path=/pages/customer/my/detail')
    const tools = JSON.parse(body).widgetList.find(
      (one: { options?: JsonObject }) => one.options?.name === 'inverse_deals_tools',
    )
    const form = (await demo.get('/engine/web/page/detail?path=/pages/contract/add')).body

    expect(tools.options.visibleOn.and[1]).toEqual({ in: ['contract:add', { var: 'user.permissions' }] })
    expect(tools.widgetList[0].options).toMatchObject({
      label: '新建合同',
      on: {
        click: [
          {
            url: '/pages/contract/add',
            query: { ext_via: '{{ params.id }}', ext_via_name: '{{ data.detail.record.name }}' },
          },
        ],
      },
    })
    expect(form).toContain('{"if":[{"!":[{"var":"params.id"}]},{"var":"params.ext_via"},null]}')
  })

  it('open from the referenced record, on pages of the product too', async () => {
    const own = (await admin.get('/engine/web/page/detail?path=/pages/m/ticket/detail')).body
    const shipped = (await demo.get('/engine/web/page/detail?path=/pages/customer/my/detail')).body

    expect(own).toContain('"url":"/pages/customer/my/detail?id={{ data.detail.record.customer_id }}"')
    expect(shipped).toContain('"url":"/pages/customer/my/detail?id={{ data.detail.record.ext_brought_by }}"')
  })

  it('are a tab of an own module as well', async () => {
    const visit = await admin.post('/mini/m/visit/create', { title: '季度拜访' })
    await admin.post('/mini/m/ticket/create', { title: '跟一下', visit_id: visit.data.id })
    const detail = await admin.get(`/mini/m/visit/detail?id=${visit.data.id}`)
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/m/visit/detail')

    expect(detail.data.related).toEqual({ follow_ups: 1, products: 0 })
    expect(body).toContain('inverse_follow_ups')
  })

  it('are separate tabs if two fields refer to the same module', async () => {
    await admin.post('/engine/web/field/save', {
      module: 'ticket',
      field: ref('payer_id', 'customer', 'tickets'),
    })
    const detail = await admin.get(`/mini/customer/detail?id=${customer}`)

    expect(detail.data.related).toMatchObject({ tickets: 1, tickets_ticket_payer_id: 0 })
  })

  it('disappear from the page with their module', async () => {
    await admin.post('/engine/web/module/delete', { name: 'ticket' })
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/customer/my/detail')

    expect(body).not.toContain('inverse_tickets')
  })
})
