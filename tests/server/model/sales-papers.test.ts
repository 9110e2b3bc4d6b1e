import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { contractInEffect, type Deals, openDeals, right } from '../business5/deals.ts'
import type { Client } from '../support.ts'

let deals: Deals

beforeAll(async () => {
  deals = await openDeals()
})
afterAll(() => deals.server.close())

/** Approves the pending approval of a record. */
async function agree(person: Client, recordId: string): Promise<void> {
  const { list } = right(await person.post('/mini/approval/list', { tab: 'todo' }))
  const card = list.find((one: { record_id: string }) => one.record_id === recordId)
  right(await person.post('/mini/approval/act', { id: card?.id ?? '', action: 'approve' }))
}

const of = async (client: Client, module: string, id: string) =>
  right(await client.get(`/mini/m/${module}/detail?id=${id}`)) as {
    record: Record<string, Json> & { version: number }
    actions: string[]
  }

describe('an invoice request', () => {
  it('begins with its contract, is approved by finance, issued with a number, and adds up on the contract', async () => {
    const { demo, finance } = deals
    const contract = await contractInEffect(deals, { amount: 10_000 })
    const { record: begun } = right(
      await demo.get(`/mini/convert?of=contract&id=${contract}&to=invoice_request`),
    ) as { record: Record<string, Json> }
    expect(begun).toMatchObject({ customer_id: deals.customerId, contract_id: contract, amount: 10_000 })
    const asked = {
      title: '北京测试客户有限公司',
      customer_id: deals.customerId,
      contract_id: contract,
      amount: 4000,
    }
    const without = await demo.post('/mini/m/invoice_request/create', asked)
    expect(without.meta.error?.fields).toHaveProperty('tax_no')
    const { id } = right(
      await demo.post('/mini/m/invoice_request/create', {
        ...asked,
        tax_no: '91110108MA01234567',
        made_of: { module: 'contract', id: contract },
      }),
    )
    right(await demo.post('/mini/m/invoice_request/submit', { id }))
    const waiting = await of(finance, 'invoice_request', id)
    const early = { id, version: waiting.record.version, status: 'done', invoice_no: '24112000000012345678' }
    expect((await finance.post('/mini/m/invoice_request/update', early)).meta.error?.fields).toHaveProperty(
      'status',
    )
    await agree(finance, id)

    const { record, actions } = await of(finance, 'invoice_request', id)
    expect(actions).toContain('move')
    const issue = { id, version: record.version, status: 'done' }
    const noNumber = await finance.post('/mini/m/invoice_request/update', issue)
    expect(noNumber.meta.error?.fields).toHaveProperty('invoice_no')
    const other = await finance.post('/mini/m/invoice_request/update', { ...issue, amount: 1 })
    expect(other.meta.code).toBe(409)
    right(
      await finance.post('/mini/m/invoice_request/update', { ...issue, invoice_no: '24112000000012345678' }),
    )
    const seen = right(await demo.get(`/mini/contract/detail?id=${contract}`))
    expect(seen.record.invoiced_amount).toBe(4000)
    expect(seen.related.invoice_request).toBe(1)
    expect(seen.linked[0]).toMatchObject({ label: '开票申请' })
  })
})

describe('expenses', () => {
  it('add up their rows, and are approved by the superior and by finance', async () => {
    const { demo, manager, finance } = deals
    const items = [
      { day: '2026-03-10', type: 'traffic', amount: 126.5 },
      { day: '2026-03-11', type: 'meal', amount: 380, remark: '客户招待' },
    ]
    const { id, record } = right(await demo.post('/mini/m/expense/create', { title: '拜访客户', items }))
    expect(record.amount).toBe(506.5)
    right(await demo.post('/mini/m/expense/submit', { id }))
    const { list } = right(await manager.post('/mini/approval/list', { tab: 'todo' }))
    const card = list.find((one: { record_id: string }) => one.record_id === id)
    const { facts } = right(await manager.get(`/mini/approval/detail?id=${card.id}`))
    expect(JSON.stringify(facts)).toContain('客户招待')
    await agree(manager, id)
    await agree(finance, id)
    const { record: agreed } = await of(finance, 'expense', id)
    expect(agreed.approval_status).toBe(2)
    right(await finance.post('/mini/m/expense/update', { id, version: agreed.version, status: 'paid' }))
  })

  it.each([
    ['expense', 'internal-signs'],
    ['invoice_request', 'internal-signs'],
    ['quotation', 'signs'],
    ['sales_order', 'signs'],
  ])('have the signatures of a slip, not of two parties: %s', async (name, signs) => {
    const page = (await deals.demo.get(`/engine/web/page/detail?path=/pages/m/${name}/print`)).body
    expect(page.includes('申请人：')).toBe(signs === 'internal-signs')
    expect(page.includes('甲方（盖章）')).toBe(signs === 'signs')
    expect(page.includes('"notAgreed"')).toBe(name !== 'sales_order')
  })

  it('are printed with who asks and their department', async () => {
    const items = [{ day: '2026-03-11', type: 'meal', amount: 380 }]
    const { id } = right(await deals.demo.post('/mini/m/expense/create', { title: '请客', items }))
    const { record } = await of(deals.demo, 'expense', id)
    expect(record).toMatchObject({ owner_name: expect.any(String), owner_dept_name: expect.any(String) })
    const page = (await deals.demo.get('/engine/web/page/detail?path=/pages/m/expense/print')).body
    for (const key of ['owner_name', 'owner_dept_name', 'created_at', 'approval_status'])
      expect(page).toContain(key)
  })
})

describe('a step for what is below its price floor', () => {
  const below = [
    { kind: 'superior', mode: 'any' },
    { kind: 'role', value: 'finance', mode: 'any', below_min: true },
  ]
  const flowOf = async (id: string) => right(await deals.admin.get(`/engine/web/flow/detail?id=${id}`))

  it.each([
    ['payment', '回款'],
    ['m.expense', '费用报销'],
    ['m.invoice_request', '开票申请'],
  ])('is neither offered nor saved where nothing has a floor: %s', async (id, name) => {
    expect(await flowOf(id)).toMatchObject({
      title: `审批流 · ${name}`,
      conditions: { below_min: false },
    })
    const by = { '/mini/approval/flow/save': { entity: id }, '/engine/web/flow/save': { id } }
    for (const [path, which] of Object.entries(by)) {
      const { meta } = await deals.admin.post(path, { ...which, steps: below })
      expect([meta.code, meta.message]).toEqual([
        400,
        `审批步骤第 2 步：${name}没有带底价的产品，不能选“低于底价时”`,
      ])
    }
  })

  it.each(['contract', 'm.quotation'])('is offered for %s', async (id) => {
    const { form, conditions } = await flowOf(id)
    expect(conditions.below_min).toBe(true)
    right(await deals.admin.post('/engine/web/flow/save', { id, ...form, steps: below }))
    expect((await flowOf(id)).form.steps).toMatchObject([{ below_min: false }, { below_min: true }])
  })

  it('is asked, not skipped, in a flow of expenses that was stored with it before', async () => {
    const { demo, manager, finance } = deals
    const stored = below.map((step) => ({ ...step, below_min: true }))
    await deals.server.database.system((trx) =>
      sql`insert into approval_flow (tenant_id, entity, steps)
        values ('xinghai', 'm.expense', ${JSON.stringify(stored)}::jsonb)`.execute(trx),
    )
    const items = [{ day: '2026-03-12', type: 'traffic', amount: 50_000 }]
    const { id } = right(await demo.post('/mini/m/expense/create', { title: '五万元', items }))
    right(await demo.post('/mini/m/expense/submit', { id }))

    expect((await of(demo, 'expense', id)).record.approval_status).toBe(1)
    await agree(manager, id)
    await agree(finance, id)
    expect((await of(demo, 'expense', id)).record.approval_status).toBe(2)
    const { form } = await flowOf('m.expense')
    expect(form.steps).toMatchObject([{ below_min: false }, { below_min: false }])
    right(await deals.admin.post('/engine/web/flow/save', { id: 'm.expense', ...form }))
  })
})

describe('an order', () => {
  it('is created from a contract, changes its status with deliveries, and becomes an invoice request', async () => {
    const { demo } = deals
    const contract = await contractInEffect(deals, { amount: 5000 })
    const { record } = right(await demo.get(`/mini/convert?of=contract&id=${contract}&to=sales_order`))
    expect(record).toMatchObject({ contract_id: contract, contract_id_name: record.title })
    const page = (await demo.get('/engine/web/page/detail?path=/pages/m/sales_order/add')).body
    expect(page).toContain('/mini/convert?to=sales_order')
  })

  it('is invisible outside its owner’s scope', async () => {
    const other = await deals.server.as('zhaolei')
    const { list } = right(await other.post('/mini/m/expense/list', {}))
    expect(list).toEqual([])
  })
})
