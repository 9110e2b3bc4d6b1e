import { sql } from 'kysely'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { numberText } from '../../kernel/records/number.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { bulkInsert } from './bulk-insert.ts'
import { daysBetween } from './calendar.ts'
import { atExtremes, BUSSINESS_EXTREMES, CONTRACT_EXTREMES, PAYMENT_EXTREMES } from './extremes.ts'
import type { SeededCustomer } from './seed-customers.ts'
import { historyOf } from './seed-leads.ts'
import { commonColumns, createNumbers, inPool, ownedBy, type TenantPlan } from './tenant-plan.ts'
import WORDS from './words.json'

const STAGES = [
  ['first_contact', 10, 35],
  ['requirement', 30, 27],
  ['proposal', 50, 20],
  ['negotiation', 70, 12],
  ['signing', 90, 6],
] as const
const CLOSED = [
  [2, 28],
  [3, 55],
  [4, 17],
] as const
const LOSE_REASONS = ['price', 'chose_competitor', 'budget', 'need_changed', 'project_cancelled']

/** The approvers in the demo tenants (DOMAIN 1.6). */
export interface Deciders {
  readonly approverOf: (userId: string) => string | null
  readonly finance: string | null
}

type Numbers = ReturnType<typeof createNumbers>

/** Creates opportunities, contracts, plans, payments and targets, and the totals computed from them (DOMAIN 6.2). */
export async function seedDeals(
  plan: TenantPlan,
  customers: readonly SeededCustomer[],
  deciders: Deciders,
): Promise<void> {
  const numbers = createNumbers(plan.tenantId)
  const opportunities = bussinessRows(plan, customers, numbers)
  await bulkInsert(plan.trx, 'bussiness', opportunities)
  await bulkInsert(
    plan.trx,
    'owner_record',
    opportunities.flatMap((row) => historyOf('bussiness', row, plan)),
  )
  await refreshExpiry(
    'bussiness',
    opportunities.map((row) => row.id),
    {
      trx: plan.trx,
      tenantId: plan.tenantId,
    },
  )
  const contracts = contractRows(plan, customers, deciders, numbers)
  await bulkInsert(plan.trx, 'contract', contracts)
  const { plans, payments } = paymentRows(plan, contracts, deciders, numbers)
  await bulkInsert(plan.trx, 'payment_plan', plans)
  await bulkInsert(plan.trx, 'payment', payments)
  await bulkInsert(
    plan.trx,
    'payment_share',
    payments.filter((payment) => payment.approval_status === 2).map(fullShare),
  )
  await bulkInsert(plan.trx, 'document_counter', numbers.counters())
  await bulkInsert(plan.trx, 'sales_target', targetRows(plan))
  await addTotals(plan)
}

function amountOf({ chance }: TenantPlan): number {
  const raw = chance.logNormal(48_000, 1.2)
  return Math.round(Math.min(1_500_000, Math.max(3000, raw)) / 100) * 100
}

function bussinessRows(plan: TenantPlan, customers: readonly SeededCustomer[], numbers: Numbers) {
  const { chance, calendar, size } = plan
  const negotiating = customers.filter((customer) => customer.isNegotiating)
  const others = customers.filter((customer) => customer.isOwned)
  return Array.from({ length: size.bussiness }, (_, index) => {
    const isOwned = index < size.bussiness - size.bussinessInPool
    const open = negotiating[index]
    const customer = open ?? chance.pick(others)
    const isOpen = !isOwned || open !== undefined
    const [stage, winRate] = chance.weighted(STAGES.map((it) => [it, it[2]] as const))
    const status = isOpen ? 1 : chance.weighted(CLOSED)
    const age = Math.floor(daysBetween(customer.createdAt, calendar.now))
    const createdAt = calendar.ago(chance.int(0, Math.min(age, isOpen ? 60 : 400)))
    const day = calendar.day(Math.floor(daysBetween(createdAt, calendar.now)))
    const name = `${customer.name.slice(0, 40)}-${chance.pick(WORDS.products)}-${day.slice(0, 7).replace('-', '')}`
    const bussiness_no = numberText('bussiness', day, numbers.next('bussiness', day))
    const owner = isOwned
      ? ownedBy(customer.seller, createdAt, 'created')
      : inPool(plan.pools.bussiness, calendar.ago(chance.int(0, 30)), 'low_budget', customer.seller)
    const { mobile_norm: _mobile, ...search } = searchColumns({
      kind: 'company',
      name,
      number: bussiness_no,
      phones: [],
    })
    return {
      ...commonColumns(plan, customer.seller.userId, createdAt),
      ...owner,
      name,
      bussiness_no,
      customer_id: customer.id,
      contact_ids: customer.contactIds.slice(0, 1),
      amount: amountOf(plan),
      expected_date: calendar.day(isOpen ? -chance.int(-10, 90) : chance.int(0, 60)),
      ...walked(plan, { stage, status, createdAt, by: customer.seller.userId }),
      win_rate: status === 1 ? winRate : status === 2 ? 100 : 0,
      type: chance.weighted([
        ['new', 70],
        ['renewal', 15],
        ['upsell', 15],
      ]),
      source: null,
      competitor: [],
      discount_rate: 100,
      next_step: null,
      remark: null,
      ...atExtremes(index, BUSSINESS_EXTREMES),
      lines: [],
      attachments: [],
      status,
      lose_reason: status === 3 ? chance.pick(LOSE_REASONS) : null,
      ...search,
    }
  })
}

const DAY_MS = 86_400_000

/** The stage history of an opportunity: steps at regular intervals, and the end of a closed one (DOMAIN 1.5). */
function walked(
  { calendar, chance }: TenantPlan,
  it: { stage: string; status: number; createdAt: Date; by: string },
) {
  const reached = STAGES.findIndex(([stage]) => stage === it.stage)
  const end = { 2: 'won', 3: 'lost', 4: 'invalid' }[it.status]
  const stops = [...STAGES.slice(0, reached + 1).map(([stage]) => stage), ...(end === undefined ? [] : [end])]
  // An opportunity has not been in its stage for longer than the recycling rule allows (DOMAIN 1.2.1).
  const age = daysBetween(it.createdAt, calendar.now)
  const lastAt =
    calendar.now.getTime() -
    (end === undefined ? Math.min(age, chance.int(0, 17)) : age * chance.next()) * DAY_MS
  const span = (lastAt - it.createdAt.getTime()) / Math.max(1, stops.length - 1)
  const timeOf = (index: number): Date => {
    const at = calendar.working(new Date(it.createdAt.getTime() + index * span))
    return new Date(Math.min(Math.max(at.getTime(), it.createdAt.getTime()), calendar.now.getTime()))
  }
  const steps = stops.map((to, index) => ({
    from: stops[index - 1] ?? null,
    to,
    by: it.by,
    at: index === 0 ? it.createdAt : timeOf(index),
    days: index === 0 ? 0 : Math.floor(span / DAY_MS),
    remark: null,
  }))
  const last = steps.at(-1)
  return {
    stage_id: last?.to ?? it.stage,
    last_stage_id: end === undefined ? null : it.stage,
    stage_since: end === undefined && stops.length === 1 ? new Date(lastAt) : (last?.at ?? it.createdAt),
    stage_history: steps.map((step) => ({ ...step, at: step.at.toISOString() })),
    closed_at: end === undefined ? null : (last?.at ?? calendar.now),
  }
}

/** Ten of the contracts are not approved: waiting (some for `demo`), draft, rejected, withdrawn, void. */
const OTHER_STATUS: Readonly<Record<number, number>> = {
  0: 1,
  1: 3,
  2: 1,
  3: 0,
  7: 1,
  8: 1,
  9: 3,
  15: 5,
  21: 4,
  27: 0,
}

/** Days ago that contracts of `demo` were signed, by index: recently and a month ago, so that the home page has figures to compare. */
const RECENT: Readonly<Record<number, number>> = { 4: 1, 5: 4, 6: 0, 10: 31, 11: 33 }

function contractRows(
  plan: TenantPlan,
  customers: readonly SeededCustomer[],
  deciders: Deciders,
  numbers: Numbers,
) {
  const { chance, calendar, size } = plan
  const dealing = customers.filter((customer) => customer.isDeal)
  return Array.from({ length: size.contracts }, (_, index) => {
    const customer = dealing[index % Math.max(1, dealing.length)] ?? chance.pick(customers)
    const userId = customer.seller.userId
    const approval = OTHER_STATUS[index] ?? 2
    const age = Math.floor(daysBetween(customer.createdAt, calendar.now))
    // More signatures in this month and the last one, so that the home page has figures to compare.
    const recent = RECENT[index]
    const signedAgo =
      approval === 1
        ? chance.int(0, 3)
        : Math.min(age, recent ?? (chance.isTrue(0.4) ? chance.int(0, 50) : chance.int(0, 500)))
    const day = calendar.day(signedAgo)
    const amount = amountOf(plan)
    const approver = deciders.approverOf(userId)
    return {
      ...commonColumns(plan, userId, calendar.ago(signedAgo)),
      contract_no: numberText('contract', day, numbers.next('contract', day)),
      name: `${customer.name.slice(0, 60)}${chance.pick(WORDS.products)}合同`,
      customer_id: customer.id,
      type: chance.weighted([
        ['direct', 60],
        ['service', 20],
        ['agency', 10],
        ['renewal', 10],
      ]),
      amount,
      stat_amount: amount,
      sign_date: day,
      start_date: day,
      end_date: calendar.day(signedAgo - (index % 12 === 5 ? signedAgo + 20 : 365)),
      payment_terms: chance.pick(['once', 'instalment', 'deposit_balance']),
      discount_rate: 100,
      remark: null,
      ...atExtremes(index, CONTRACT_EXTREMES),
      owner_id: userId,
      owner_dept_id: customer.seller.deptId,
      approval_status: approval,
      approver_id: approval === 1 ? approver : null,
      approver_ids: approver === null ? [] : [approver],
      perform_status: approval === 2 ? 1 : 0,
      lines: [],
      attachments: [],
    }
  })
}

type ContractRow = ReturnType<typeof contractRows>[number]

/** 1 to 4 plans each; 70 % paid in time, 20 % up to 30 days late, 10 % open and overdue (DOMAIN 6.2). */
function paymentRows(
  plan: TenantPlan,
  contracts: readonly ContractRow[],
  deciders: Deciders,
  numbers: Numbers,
) {
  const { chance, calendar, size } = plan
  const approved = contracts.filter((contract) => contract.approval_status === 2)
  const plans = approved.flatMap((contract) => planRows(plan, contract))
  const due = plans.filter((it) => it.daysAgo >= 0)
  const open = new Set(due.filter(() => chance.isTrue(0.1)))
  // The open plans of recent contracts of `demo` have no payment, so that one can be entered.
  const demos = new Set(Object.keys(RECENT).map((index) => contracts[Number(index)]?.id))
  const ahead = plans.filter((it) => it.daysAgo < 0 && !demos.has(it.contract.id))
  const settled = [...due.filter((it) => !open.has(it)), ...open, ...ahead]
  const paid = settled.slice(0, size.payments).map((it, index) => {
    const daysLate = chance.weighted([
      [0, 70],
      [chance.int(1, 30), 20],
    ] as [number, number][])
    const paidAgo = Math.max(0, it.daysAgo - daysLate)
    const day = calendar.day(paidAgo)
    const isWaiting = index % 25 === 24
    it.row.status = isWaiting ? 'unpaid' : 'paid'
    it.row.received_amount = isWaiting ? 0 : it.row.plan_amount
    return {
      ...commonColumns(plan, it.contract.owner_id, calendar.ago(paidAgo)),
      payment_no: numberText('payment', day, numbers.next('payment', day)),
      contract_id: it.contract.id,
      plan_id: it.row.id,
      amount: it.row.plan_amount,
      paid_at: day,
      method: chance.weighted([
        ['bank_transfer', 70],
        ['online_bank', 15],
        ['acceptance', 10],
        ['wechat', 5],
      ]),
      payer: null,
      bank_account: null,
      remark: null,
      ...atExtremes(index, PAYMENT_EXTREMES),
      voucher: [],
      owner_id: it.contract.owner_id,
      owner_dept_id: it.contract.owner_dept_id,
      approval_status: isWaiting ? 1 : 2,
      approver_id: isWaiting ? deciders.finance : null,
      approver_ids: deciders.finance === null ? [] : [deciders.finance],
    }
  })
  return { plans: plans.map((it) => it.row), payments: paid }
}

/** Each payment of the demo covers one plan. */
function fullShare({
  tenant_id,
  id,
  plan_id,
  amount,
}: {
  readonly [key in 'tenant_id' | 'id' | 'plan_id']: string
} & { readonly amount: number }) {
  return { tenant_id, payment_id: id, plan_id, place: 1, amount }
}

function planRows(plan: TenantPlan, contract: ContractRow) {
  const { chance, calendar } = plan
  const count = chance.weighted([
    [1, 10],
    [2, 35],
    [3, 30],
    [4, 25],
  ])
  const signedAgo = Math.floor(daysBetween(contract.created_at, calendar.now))
  return Array.from({ length: count }, (_, index) => {
    const part = Math.round((contract.amount / count) * 100) / 100
    const plan_amount =
      index === count - 1 ? Math.round((contract.amount - part * (count - 1)) * 100) / 100 : part
    const daysAgo = signedAgo - index * 30
    return {
      contract,
      daysAgo,
      row: {
        ...commonColumns(plan, contract.owner_id, contract.created_at),
        contract_id: contract.id,
        period_no: index + 1,
        plan_amount,
        received_amount: 0,
        plan_date: calendar.day(daysAgo),
        status: 'unpaid',
      },
    }
  })
}

function targetRows({ sellers, tenantId, calendar, chance }: TenantPlan) {
  const month = (back: number) => {
    const [year = 0, number = 1] = calendar.day(0).split('-').map(Number)
    return new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 10)
  }
  return sellers.flatMap((seller) =>
    [0, 1, 2, 3, 4, 5].map((back) => ({
      tenant_id: tenantId,
      object_type: 'user',
      object_id: seller.userId,
      month: month(back),
      contract_amount: chance.int(15, 40) * 10_000,
      payment_amount: chance.int(10, 30) * 10_000,
    })),
  )
}

/** Totals of contracts and customers from the approved rows, so that every figure can be traced. */
async function addTotals({ trx, tenantId }: TenantPlan): Promise<void> {
  await sql`update contract k set received_amount = p.total from (
      select contract_id, sum(amount) as total from payment where tenant_id = ${tenantId} and approval_status = 2
      group by contract_id) p
    where k.tenant_id = ${tenantId} and k.id = p.contract_id`.execute(trx)
  await sql`update customer c set deal_count = k.n, deal_amount = k.amount, received_amount = k.received, deal_at = k.first
    from (select customer_id, count(*) as n, sum(amount) as amount, sum(received_amount) as received,
        min(sign_date)::timestamptz as first
      from contract where tenant_id = ${tenantId} and approval_status = 2 group by customer_id) k
    where c.tenant_id = ${tenantId} and c.id = k.customer_id and c.deal_status = 1`.execute(trx)
}
