import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { FULL_BUSSINESS, FULL_CONTACT, FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import type { Client } from '../support.ts'
import {
  contractInEffect,
  type Deals,
  draft,
  makeProduct,
  openDeals,
  paymentOf,
  read,
  right,
} from './deals.ts'

let deals: Deals
let product: string
beforeAll(async () => {
  deals = await openDeals()
  product = await makeProduct(deals.director, { price: 100 })
})
afterAll(() => deals.server.close())

interface Made {
  readonly by: Client
  readonly id: string
  /** The data its form sends: every field as the record has it. */
  readonly form: JsonObject
}

const made = async (by: Client, module: string, body: JsonObject, more: JsonObject = {}): Promise<Made> => {
  const { id } = right(await by.post(`/mini/${module}/create`, body))
  return { by, id, form: { ...(await asShown(by, module, id, body)), ...more } }
}

async function asShown(by: Client, module: string, id: string, body: JsonObject): Promise<JsonObject> {
  const record = await read(by, module, id)
  return Object.fromEntries(Object.keys(body).map((name) => [name, record[name] ?? null]))
}

const plansOf = async (id: string) =>
  right(
    await deals.demo.post('/mini/plan/list', { filters: [{ field: 'contract_id', op: 'eq', value: id }] }),
  ).list

/** Its instalments in the format of the contract form. */
async function planRows(contract: string): Promise<JsonObject[]> {
  const plans: readonly JsonObject[] = await plansOf(contract)
  const names = ['id', 'plan_amount', 'plan_date', 'method', 'remind_days', 'remark']
  return plans.map((plan) => Object.fromEntries(names.map((name) => [name, plan[name] ?? null])))
}

const EVENT = {
  name: '没改动的活动',
  type: 'salon',
  start_at: '2026-03-16 09:00:00',
  end_at: '2026-03-16 18:00:00',
}

const MAKING: Readonly<Record<string, () => Promise<Made>>> = {
  customer: () =>
    made(deals.demo, 'customer', { ...FULL_CUSTOMER, credit_code: null, name: '没改动的客户有限公司' }),
  lead: () =>
    made(deals.demo, 'lead', {
      ...FULL_LEAD,
      name: '没改动的线索',
      company: '没改动',
      mobile: '13900007001',
    }),
  contact: async () => {
    const body = { ...FULL_CONTACT, mobile: '13900007002' }
    const contact = await made(deals.demo, 'contact', { ...body, customer_id: deals.customerId })
    return { ...contact, form: await asShown(deals.demo, 'contact', contact.id, body) }
  },
  bussiness: async () => {
    const body = { ...FULL_BUSSINESS, name: '没改动的商机' }
    const sale = await made(deals.director, 'bussiness', { ...body, customer_id: deals.customerId })
    return { ...sale, form: await asShown(deals.director, 'bussiness', sale.id, body) }
  },
  contract: async () => {
    const lines = [{ product_id: product, price: 90, quantity: 3, remark: '现货' }]
    const plans = [
      { plan_amount: 100, plan_date: '2026-04-01', method: 'cash', remark: '首期', remind_days: 5 },
      { plan_amount: 170, plan_date: '2026-05-01' },
    ]
    const body = { name: '没改动的合同', type: 'direct', sign_date: '2026-03-10', remark: '备注', lines }
    const { id } = await draft(deals.demo, deals.customerId, { ...body, amount: undefined, plans })
    const form = await asShown(deals.demo, 'contract', id, { ...body, amount: null, discount_rate: null })
    return { by: deals.demo, id, form: { ...form, plans: await planRows(id) } }
  },
  payment: async () => {
    const plans = [{ plan_amount: 4000, plan_date: '2026-04-01' }]
    const contract = await contractInEffect(deals, { plans })
    const [{ id: plan_id }] = await plansOf(contract)
    const shares = [{ plan_id, amount: 2500 }]
    const payment = paymentOf(contract, 3000, { remark: '备注', shares }) as JsonObject
    return made(deals.demo, 'payment', payment, { shares })
  },
  product: async () => {
    const body = { name: '没改动的产品', category_id: 'service', unit: 'set_unit', price: 10, min_price: 9 }
    return made(deals.director, 'product', body)
  },
  activity: () => made(deals.director, 'activity', EVENT),
}

const logOf = async (by: Client, module: string, id: string) =>
  right(await by.get(`/mini/${module}/log?id=${id}`)).list as readonly { title: string; text: string }[]

describe('a form that is saved unchanged', () => {
  it.each(Object.keys(MAKING))('does not change the %s or its history', async (module) => {
    const { by, id, form } = await (MAKING[module] as () => Promise<Made>)()
    const { version } = await read(by, module, id)
    const before = await logOf(by, module, id)

    const saved = right(await by.post(`/mini/${module}/update`, { ...form, id, version }))
    const again = {
      ...form,
      id,
      version,
      remark: '真的改了',
      name: '真的改了有限公司',
      clientToken: undefined,
    }
    expect(saved.version).toBe(version)
    expect(await logOf(by, module, id)).toEqual(before)

    const changed = right(await by.post(`/mini/${module}/update`, pickOf(form, again)))
    expect(changed.version).toBe(Number(version) + 1)
    expect(await logOf(by, module, id)).toHaveLength(before.length + 1)
  })

  it('returns the same result for the same token', async () => {
    const { by, id, form } = await (MAKING.activity as () => Promise<Made>)()
    const { version } = await read(by, 'activity', id)
    const body = { ...form, id, version, clientToken: 'unchanged-twice-1' }

    const first = right(await by.post('/mini/activity/update', body))
    expect(right(await by.post('/mini/activity/update', body))).toEqual(first)
  })
})

describe('a contract of which only the lines change', () => {
  it('has them in its history, with the resulting amount', async () => {
    const { by, id, form } = await (MAKING.contract as () => Promise<Made>)()
    const { version } = await read(by, 'contract', id)
    const lines = [{ product_id: product, price: 90, quantity: 4 }]

    right(await by.post('/mini/contract/update', { id, version, lines, plans: form.plans ?? null }))
    const [line] = await logOf(by, 'contract', id)

    expect(line?.text).toBe('产品明细：内容有改动\n合同金额：270 → 360')
  })

  it('has the old and new number of instalments in its history', async () => {
    const { by, id, form } = await (MAKING.contract as () => Promise<Made>)()
    const { version } = await read(by, 'contract', id)
    const plans = (form.plans as JsonObject[]).slice(0, 1)

    right(await by.post('/mini/contract/update', { id, version, plans }))
    const [line] = await logOf(by, 'contract', id)

    expect(line?.text).toBe('回款计划：2 行 → 1 行')
  })
})

/** The changes for which the form has a field. */
const pickOf = (form: JsonObject, change: JsonObject | Record<string, unknown>): JsonObject =>
  Object.fromEntries(
    Object.entries(change).filter(
      ([name]) => Object.hasOwn(form, name) || name === 'id' || name === 'version',
    ),
  ) as JsonObject
