import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../support/long.ts'
import type { Answer } from '../support.ts'
import { approveAll, type Deals, draft, makeCustomer, openDeals, right } from './deals.ts'

let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
})
afterAll(() => deals.server.close())

/** Actions of a person on the deals of one customer; numbers select among what exists. */
type Act =
  | { readonly do: 'sign' | 'change' | 'pay' | 'reverse'; readonly at: number; readonly cents: number }
  | {
      readonly do: 'void' | 'plan' | 'refuse' | 'draft' | 'delete'
      readonly at: number
      readonly cents: number
    }

const acts: fc.Arbitrary<Act> = fc.record({
  do: fc.constantFrom(
    'sign',
    'change',
    'pay',
    'pay',
    'pay',
    'reverse',
    'void',
    'plan',
    'refuse',
    'draft',
    'delete',
  ) as fc.Arbitrary<Act['do']>,
  at: fc.nat(20),
  cents: fc.integer({ min: 1, max: 500_000 }),
}) as fc.Arbitrary<Act>

interface ModelContract {
  id: string
  cents: number
  payments: { id: string; cents: number; reversed: number }[]
}

/** The expected totals: contracts in effect, and the money of void ones. */
interface Model {
  readonly live: ModelContract[]
  voidMoney: number
}

describe('totals', () => {
  it('equal the sums of a model after every step of a random walk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 8, maxLength: 14 }), async (walk) => {
        const customer = await makeCustomer(deals.demo, `行走${Math.random()}有限公司`)
        const model: Model = { live: [], voidMoney: 0 }
        for (const act of walk) {
          await step(act, model, customer)
          await agrees(model, customer)
        }
        await booksAreRight(customer)
      }),
      { numRuns: 5, endOnFailure: true },
    )
  }, 240_000)

  it('equal the sums of the rows after concurrent actions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 12, maxLength: 20 }), async (walk) => {
        const customer = await makeCustomer(deals.demo, `同时${Math.random()}有限公司`)
        const model: Model = { live: [], voidMoney: 0 }
        for (const at of [1, 2, 3]) await step({ do: 'sign', at, cents: at * 100_000 }, model, customer)
        for (const contract of model.live)
          for (const part of [3000, 5000])
            await step({ do: 'pay', at: model.live.indexOf(contract), cents: part }, model, customer)

        await Promise.all(walk.map((act) => step(act, structuredClone(model), customer).catch(conflictOnly)))

        await booksAreRight(customer)
      }),
      { numRuns: runs(2, 6), endOnFailure: true },
    )
  }, 240_000)

  it('are correct when thirty payments of one contract are approved at the same moment', async () => {
    const customer = await makeCustomer(deals.demo, '并发回款有限公司')
    const { id: contract } = await draft(deals.demo, customer, { amount: 10_000 })
    right(await deals.demo.post('/mini/contract/submit', { id: contract }))
    await approveAll(deals, 'contract', contract)
    const ids: string[] = []
    for (let i = 0; i < 30; i++) {
      const made = right(await deals.demo.post('/mini/payment/create', payment(contract, 10.01)))
      right(await deals.demo.post('/mini/payment/submit', { id: made.id }))
      ids.push(made.id)
    }
    const waiting = right(await deals.finance.post('/mini/approval/list', { tab: 'todo', limit: 100 })).list
    const ours = waiting.filter((row: { record_id: string }) => ids.includes(row.record_id))

    const answers = await Promise.all(
      ours.flatMap(({ id }: { id: string }) =>
        [deals.finance, deals.accountant].map((person) =>
          person.post('/mini/approval/act', { id, action: 'approve' }),
        ),
      ),
    )

    expect(answers.filter((it: Answer) => it.meta.code === 200)).toHaveLength(30)
    expect(answers.filter((it: Answer) => it.meta.code === 409)).toHaveLength(30)
    const record = right(await deals.demo.get(`/mini/contract/detail?id=${contract}`)).record
    expect(record.received_amount).toBe(300.3)
    await booksAreRight(customer)
  }, 120_000)
})

function payment(contract_id: string, amount: number) {
  return { contract_id, amount, paid_at: '2026-03-12', method: 'bank_transfer', confirm: ['OVER_COLLECT'] }
}

/** Somebody else was faster: the record has another state, or is gone. */
function conflictOnly(error: unknown): void {
  if (!/^(?:400|404|405|409|422) /.test(error instanceof Error ? error.message : '')) throw error
}

async function step(act: Act, model: Model, customer: string): Promise<void> {
  const chosen = model.live[act.at % Math.max(1, model.live.length)]
  const amount = act.cents / 100
  if (act.do === 'sign' || act.do === 'draft' || act.do === 'delete') {
    const { id } = await draft(deals.demo, customer, { amount })
    if (act.do === 'delete') right(await deals.demo.post('/mini/contract/delete', { ids: [id] }))
    if (act.do !== 'sign') return
    right(await deals.demo.post('/mini/contract/submit', { id }))
    await approveAll(deals, 'contract', id)
    model.live.push({ id, cents: act.cents, payments: [] })
    return
  }
  if (chosen === undefined) return
  if (act.do === 'plan') {
    await deals.demo.post('/mini/plan/generate', { contractId: chosen.id, preset: '30/60/10' })
    return
  }
  if (act.do === 'void') {
    right(await deals.finance.post('/mini/contract/void', { id: chosen.id, reason: '作废' }))
    model.voidMoney += received(chosen)
    model.live.splice(model.live.indexOf(chosen), 1)
    return
  }
  if (act.do === 'change') return change(act, chosen)
  if (act.do === 'reverse') return reverse(act, chosen)
  const made = right(await deals.demo.post('/mini/payment/create', payment(chosen.id, amount)))
  right(await deals.demo.post('/mini/payment/submit', { id: made.id }))
  if (act.do === 'refuse') {
    right(await deals.demo.post('/mini/payment/withdraw', { id: made.id }))
    return
  }
  await approveAll(deals, 'payment', made.id)
  chosen.payments.push({ id: made.id, cents: act.cents, reversed: 0 })
}

async function change(act: Act, chosen: ModelContract): Promise<void> {
  const revision = right(await deals.demo.post('/mini/contract/change', { id: chosen.id }))
  const sent = { id: revision.id, version: revision.version, amount: act.cents / 100 }
  right(await deals.demo.post('/mini/contract/update', sent))
  const submitted = await deals.demo.post('/mini/contract/submit', { id: revision.id })
  if (submitted.meta.code === 409) {
    right(await deals.demo.post('/mini/contract/delete', { ids: [revision.id] }))
    return
  }
  right(submitted)
  await approveAll(deals, 'contract', revision.id)
  chosen.id = revision.id
  chosen.cents = act.cents
}

async function reverse(act: Act, chosen: ModelContract): Promise<void> {
  const found = chosen.payments.find((it) => it.reversed < it.cents)
  if (found === undefined) return
  const taken = 1 + (act.cents % (found.cents - found.reversed))
  right(
    await deals.finance.post('/mini/payment/reverse', { id: found.id, amount: taken / 100, reason: '退款' }),
  )
  found.reversed += taken
}

function received({ payments }: ModelContract): number {
  return payments.reduce((sum, it) => sum + it.cents - it.reversed, 0)
}

async function agrees({ live, voidMoney }: Model, customer: string): Promise<void> {
  const { record } = right(await deals.demo.get(`/mini/customer/detail?id=${customer}`))
  expect({ n: record.deal_count, deal: record.deal_amount, received: record.received_amount }).toEqual({
    n: live.length,
    deal: live.reduce((sum, it) => sum + it.cents, 0) / 100,
    received: (live.reduce((sum, it) => sum + received(it), 0) + voidMoney) / 100,
  })
  for (const contract of live) {
    const shown = right(await deals.demo.get(`/mini/contract/detail?id=${contract.id}`)).record
    expect([shown.amount, shown.received_amount]).toEqual([contract.cents / 100, received(contract) / 100])
  }
}

interface Row {
  readonly id: string
  readonly [name: string]: unknown
}

/** Compares every total of a customer, its contracts and plans with the rows, summed up here in cents. */
async function booksAreRight(customer: string): Promise<void> {
  const books = await deals.server.database.system(async (trx) => {
    const rows = async (query: ReturnType<typeof sql<Row>>) => (await query.execute(trx)).rows
    return {
      customer: await rows(sql<Row>`select * from customer where id = ${customer}`),
      contracts: await rows(
        sql<Row>`select * from contract where customer_id = ${customer} and deleted_at is null`,
      ),
      plans: await rows(sql<Row>`select p.* from payment_plan p join contract k on k.id = p.contract_id
        where k.customer_id = ${customer} and p.deleted_at is null`),
      shares: await rows(sql<Row>`select s.*, s.payment_id as id, p.contract_id from payment_share s
        join payment p on p.id = s.payment_id join contract k on k.id = p.contract_id where k.customer_id = ${customer}`),
      payments: await rows(sql<Row>`select p.* from payment p join contract k on k.id = p.contract_id
        where k.customer_id = ${customer} and p.deleted_at is null and p.approval_status = 2`),
    }
  })
  const sum = (rows: readonly Row[], name = 'amount') =>
    rows.reduce((total, row) => total + Math.round(Number(row[name]) * 100), 0) / 100
  const effective = books.contracts.filter((it) => it.approval_status === 2 && it.replaced_by === null)
  for (const contract of books.contracts)
    expect(contract.received_amount).toBe(sum(books.payments.filter((it) => it.contract_id === contract.id)))
  for (const plan of books.plans) {
    const paid = sum(books.shares.filter((it) => it.plan_id === plan.id))
    expect(plan.received_amount).toBe(paid)
    const status = paid >= Number(plan.plan_amount) ? 'paid' : paid > 0 ? 'partial' : 'unpaid'
    expect(['void', status]).toContain(plan.status)
  }
  for (const contract of books.contracts) {
    const of = (it: Row) => it.contract_id === contract.id
    const unshared = sum(books.payments.filter(of)) - sum(books.shares.filter(of))
    const open = books.plans.filter((it) => of(it) && it.status !== 'void' && it.status !== 'paid')
    // Money is unallocated only if no plan is open.
    expect(unshared).toBeGreaterThanOrEqual(0)
    if (unshared > 0.001) expect(open).toEqual([])
  }
  expect(books.customer[0]).toMatchObject({
    deal_count: effective.length,
    deal_amount: sum(effective),
    received_amount: sum(books.payments),
  })
  // The statistics sum up what each signature contributed: the same total (DOMAIN 3).
  const counted = books.contracts.filter((it) => it.approval_status === 2)
  expect(sum(counted, 'stat_amount')).toBe(sum(effective))
}
