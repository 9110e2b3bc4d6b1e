import { sql } from 'kysely'
import type { Json } from '../../../runtime/core/json.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

/** The demo people that deals need, signed in. */
export interface Deals {
  readonly server: TestApp
  readonly demo: Client
  readonly manager: Client
  readonly director: Client
  readonly finance: Client
  readonly accountant: Client
  readonly admin: Client
  /** One of demo's customers. */
  readonly customerId: string
}

/** A fresh server with the people above and one customer. */
export async function openDeals(): Promise<Deals> {
  const server = await openTestApp()
  const [demo, manager, director, finance, accountant, admin] = await Promise.all([
    server.as('demo'),
    server.as('manager'),
    server.as('director'),
    server.as('finance'),
    server.as('ouyang'),
    server.as('admin'),
  ])
  const customerId = await makeCustomer(demo, '北京测试客户有限公司')
  return { server, demo, manager, director, finance, accountant, admin, customerId }
}

export async function makeCustomer(client: Client, name: string): Promise<string> {
  return right(await client.post('/mini/customer/create', { name })).id
}

/** The data of a successful answer; fails otherwise. */
export function right(answer: Answer) {
  if (answer.meta.code !== 200) throw new Error(`${answer.meta.code} ${answer.body}`)
  return answer.data
}

/** What a call sends. */
export type Body = { readonly [key: string]: Json | undefined }

/** A draft of a contract. */
export async function draft(client: Client, customer_id: string, more: Body = {}) {
  const body = {
    name: '测试合同',
    customer_id,
    type: 'direct',
    amount: 10_000,
    sign_date: '2026-03-10',
    ...more,
  }
  return right(await client.post('/mini/contract/create', body)) as {
    id: string
    version: number
    record: Record<string, unknown>
  }
}

/** Approves everything that waits for a record, step by step, by the current approver. */
export async function approveAll(
  deals: Deals,
  entity: 'contract' | 'payment',
  recordId: string,
): Promise<void> {
  for (;;) {
    const { rows } = await deals.server.database.system((trx) =>
      sql<{ id: string; waiting_ids: string[] }>`select id, waiting_ids from approval
        where entity = ${entity} and record_id = ${recordId} and status = 'running'`.execute(trx),
    )
    const [approval] = rows
    if (approval === undefined) return
    const person = clientOf(deals, approval.waiting_ids[0] ?? '')
    right(await person.post('/mini/approval/act', { id: approval.id, action: 'approve' }))
  }
}

export function clientOf(deals: Deals, userId: string): Client {
  const people: Record<string, Client> = {
    'u-demo': deals.demo,
    'u-manager': deals.manager,
    'u-director': deals.director,
    'u-finance': deals.finance,
    'u-ouyang': deals.accountant,
    'u-admin': deals.admin,
  }
  const found = people[userId]
  if (found === undefined) throw new Error(`nobody is ${userId}`)
  return found
}

/** One of demo's contracts in effect. */
export async function contractInEffect(
  deals: Deals,
  more: Body = {},
  customerId = deals.customerId,
): Promise<string> {
  const { id } = await draft(deals.demo, customerId, more)
  right(await deals.demo.post('/mini/contract/submit', { id }))
  await approveAll(deals, 'contract', id)
  return id
}

/** The data a payment form sends. */
export function paymentOf(contract_id: string, amount: number, more: Body = {}): Body {
  return { contract_id, amount, paid_at: '2026-03-12', method: 'bank_transfer', ...more }
}

/** An approved payment. */
export async function paid(
  deals: Deals,
  contract_id: string,
  amount: number,
  more: Body = {},
): Promise<string> {
  const { id } = right(await deals.demo.post('/mini/payment/create', paymentOf(contract_id, amount, more)))
  right(await deals.demo.post('/mini/payment/submit', { id }))
  await approveAll(deals, 'payment', id)
  return id
}

/** The value of `field` in a record's detail. */
export async function read(client: Client, entity: string, id: string): Promise<Record<string, never>> {
  return right(await client.get(`/mini/${entity}/detail?id=${id}`)).record
}

/** An active product. */
export async function makeProduct(client: Client, more: Body = {}): Promise<string> {
  const body = {
    name: `产品${Math.random()}`,
    category_id: 'software_pro',
    unit: 'suite',
    price: 100,
    ...more,
  }
  return right(await client.post('/mini/product/create', body)).id
}
