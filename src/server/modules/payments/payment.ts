import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { PaymentAction } from '../../../contract/payment.ts'
import { latestApproval } from '../../kernel/approvals/find-approval.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { wireExt } from '../../kernel/fields/ext-fields.ts'
import { sumYuan } from '../../kernel/fields/money.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { isInScope, isVisible, isWritable } from '../../kernel/visibility/predicate.ts'
import { inCapitals } from '../../kernel/words/capitals.ts'
import { isOpen, lockDeal, STATUS } from '../contracts/find-contract.ts'
import { openPlans, spreadMore } from '../contracts/share-out.ts'
import type { Share } from '../contracts/spread.ts'

/** A payment as stored in the database. */
export interface StoredPayment {
  readonly id: string
  readonly payment_no: string
  readonly contract_id: string
  readonly plan_id: string | null
  readonly reverses_id: string | null
  readonly amount: number
  readonly paid_at: string
  readonly method: string
  readonly owner_id: string
  readonly owner_dept_id: string | null
  readonly created_by: string | null
  readonly submitted_by: string | null
  readonly approval_status: number
  readonly over_confirmed: number
  /** The assignment to plans that its author chose; null: its own plan first, then by due date. */
  readonly chosen_shares: readonly Share[] | null
  readonly version: number
  readonly [column: string]: unknown
}

/** A payment with what the caller may do with it. */
export interface FoundPayment extends StoredPayment {
  /** The caller works on the contract. */
  readonly works: boolean
}

/** A payment is visible to whoever sees its contract, and to its current and former approvers (DOMAIN 2.4). */
export function isPaymentVisible(caller: Caller, payment: string, contract: string) {
  const at = (name: string) => sql.ref(`${payment}.${name}`)
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('deleted_at')} is null
    and (${isVisible(caller, 'contract', contract)} or ${at('approver_id')} = ${caller.userId}
      or ${caller.userId} = any(${at('approver_ids')})))`
}

/** True if the caller works on the contract: it is in their scope or shared for writing. */
export function worksOn(caller: Caller, contract: string) {
  return sql<boolean>`(${isInScope(caller, 'contract', contract)} or ${isWritable(caller, 'contract', contract)})`
}

/** The current state of the payment. 404 if the caller does not see it. @param lock lock it until the transaction ends */
export async function findPayment(id: string, ctx: CallContext, lock = false): Promise<FoundPayment> {
  const { trx, caller } = ctx
  const { rows } = await sql<FoundPayment>`select p.*, ${worksOn(caller, 'k')} as works
    from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where ${isPaymentVisible(caller, 'p', 'k')} and p.id = ${id} ${lock ? sql`for update of p` : sql``}`.execute(
    trx,
  )
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** The payment, locked together with its contract and customer, without checking the caller's rights. */
export async function lockPayment(id: string, ctx: CallContext) {
  const { trx, caller } = ctx
  const read = async (lock: boolean) => {
    const { rows } = await sql<StoredPayment>`select * from payment where tenant_id = ${caller.tenantId}
      and id = ${id} and deleted_at is null ${lock ? sql`for update` : sql``}`.execute(trx)
    return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  }
  const first = await read(false)
  const contract = await lockDeal(first.contract_id, ctx)
  const payment = await read(true)
  // A revision may have replaced the contract at this moment.
  if (payment.contract_id !== contract.id) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
  return { payment, contract }
}

/** A payment the caller sees, locked with its contract and customer. */
export async function lockVisiblePayment(id: string, ctx: CallContext) {
  await findPayment(id, ctx)
  return lockPayment(id, ctx)
}

const INTERNAL = new Set(['tenant_id', 'deleted_at', 'works', 'over_confirmed', 'chosen_shares'])

/** A payment as the API returns it. */
export function paymentRecord(found: FoundPayment, ctx: CallContext): JsonObject {
  const shown = Object.fromEntries(Object.entries(found).filter(([name]) => !INTERNAL.has(name)))
  return {
    ...maskRow(wireRow(shown, ctx.zone), rightsMask(ctx.caller, 'payment')),
    ...wireExt('payment', found.ext, ctx),
  }
}

/** The data that decides the actions of a payment. */
export interface ActionState {
  readonly approval_status: number
  readonly owner_id: string
  readonly created_by: string | null
  readonly submitted_by: string | null
  readonly works: boolean
  readonly is_asked: boolean
  /** Not fully reversed yet. */
  readonly is_reversible: boolean
}

/** The actions of a payment, by permission and state (DOMAIN 1.7). */
export function paymentActions(caller: Caller, row: ActionState): PaymentAction[] {
  const may = (action: string) => caller.permissions.has(`payment:${action}`)
  const open = isOpen(row)
  const isAuthor = row.owner_id === caller.userId || row.created_by === caller.userId
  const isPending = row.is_asked && may('approve')
  const rules: readonly (readonly [PaymentAction, boolean])[] = [
    ['edit', open && row.works && may('edit')],
    ['submit', open && isAuthor && may('submit')],
    ['delete', open && row.works && may('del')],
    [
      'withdraw',
      row.approval_status === STATUS.running && row.submitted_by === caller.userId && may('submit'),
    ],
    ['approve', isPending],
    ['reject', isPending],
    ['reverse', row.is_reversible && row.works && may('reverse')],
  ]
  return rules.filter(([, isOffered]) => isOffered).map(([action]) => action)
}

/** SQL for the amount of an approved payment that is not reversed yet. */
export function reversible(row: string) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<number>`(case when ${at('approval_status')} = 2 and ${at('reverses_id')} is null then ${at('amount')}
    + coalesce((select sum(r.amount) from payment r where r.tenant_id = ${at('tenant_id')} and r.reverses_id = ${at('id')}
      and r.approval_status = 2 and r.deleted_at is null), 0) else 0 end)`
}

/** GET /mini/payment/detail. */
export async function paymentDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const { trx, caller } = ctx
  const found = await findPayment(id, ctx)
  const approval = await latestApproval('payment', id, ctx)
  const { rows } = await sql<Record<string, string | number | null>>`
    select k.contract_no, k.name as contract_name, k.customer_id, c.name as customer_name, l.period_no,
      o.name as owner_name, b.name as created_by_name, x.payment_no as reverses_no, ${reversible('p')} as reversible_amount
    from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    left join payment_plan l on l.tenant_id = p.tenant_id and l.id = p.plan_id
    left join membership o on o.tenant_id = p.tenant_id and o.user_id = p.owner_id
    left join membership b on b.tenant_id = p.tenant_id and b.user_id = p.created_by
    left join payment x on x.tenant_id = p.tenant_id and x.id = p.reverses_id
    where p.tenant_id = ${caller.tenantId} and p.id = ${id}`.execute(trx)
  const words = rows[0] ?? {}
  const shares = await sharesOf(found, ctx)
  const mask = rightsMask(caller, 'payment')
  const labels = maskRow(words, mask)
  const counted = {
    amount_capitals: inCapitals(found.amount),
    shares,
    unassigned_amount: unassigned(found, shares),
  }
  return {
    record: { ...paymentRecord(found, ctx), ...labels, ...(maskRow(counted, mask) as JsonObject) },
    labels,
    related: {},
    actions: paymentActions(caller, {
      ...found,
      is_asked: approval?.status === 'running' && approval.waiting_ids.includes(caller.userId),
      is_reversible: Number(words.reversible_amount ?? 0) > 0,
    }),
    mask: [...mask.masked],
    approval_id: approval?.id ?? null,
  }
}

/** The part of a payment that is assigned to no plan; 0 for a reversal. */
export function unassigned(found: StoredPayment, shares: readonly { readonly amount: number }[]): number {
  if (found.reverses_id !== null) return 0
  return sumYuan([found.amount, ...shares.map((share) => -share.amount)])
}

/**
 * The assigned plans of a payment in the order of assignment; before approval, the assignment that would apply now. A reversal shows the shares of
 * the payment it reverses.
 */
export async function sharesOf(found: StoredPayment, ctx: CallContext) {
  const { trx, caller } = ctx
  const isCounted = found.approval_status === STATUS.approved
  const { rows: stored } = await sql<Share>`select plan_id as "planId", amount from payment_share
    where tenant_id = ${caller.tenantId} and payment_id = ${found.reverses_id ?? found.id} order by place`.execute(
    trx,
  )
  const plan = { plan_id: found.plan_id, shares: [], chosen: found.chosen_shares }
  const shares = isCounted ? stored : spreadMore(found.amount, plan, await openPlans(found.contract_id, ctx))
  const ids = shares.map(({ planId }) => planId)
  const { rows: plans } = await sql<{ plan_id: string; period_no: number; plan_date: string }>`
    select id as plan_id, period_no, plan_date from payment_plan
    where tenant_id = ${caller.tenantId} and id = any(${ids}::text[])`.execute(trx)
  return shares.flatMap(({ planId, amount }) => {
    const shown = plans.find(({ plan_id }) => plan_id === planId)
    return shown === undefined ? [] : [{ ...shown, amount }]
  })
}
