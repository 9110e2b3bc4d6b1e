import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { Outcome } from '../../kernel/approvals/submit.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { centsOf, yuanOf } from '../../kernel/fields/money.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { afterEnd, type ChangedBussiness } from '../bussiness/ended.ts'
import { recordDealEvent } from './deal-event.ts'
import { isEffective, lockDeal, refuseState, STATUS, type StoredContract } from './find-contract.ts'
import { plannedAbove } from './plan-rows.ts'
import { refreshTotals } from './totals.ts'

/** Locks everything that the approval of a contract changes. */
export async function lockForApproval(id: string, ctx: CallContext): Promise<{ readonly ownerId: string }> {
  return { ownerId: (await lockDeal(id, ctx)).owner_id }
}

/**
 * The effect of a finished approval on its contract, in the same transaction (DOMAIN 1.6). An approved contract counts for customer, opportunity and
 * statistics, and replaces the contract it revises.
 */
export async function settleContract(id: string, outcome: Outcome, ctx: CallContext): Promise<void> {
  const contract = await lockDeal(id, ctx)
  if (outcome !== 'approved') return updateRow('contract', id, { approval_status: STATUS[outcome] }, ctx)
  const old = contract.revision_of === null ? null : await lockRevised(contract, ctx)
  const added = old === null ? contract.amount : yuanOf(centsOf(contract.amount) - centsOf(old.amount))
  await updateRow(
    'contract',
    id,
    { approval_status: STATUS.approved, approved_at: ctx.now, stat_amount: added },
    ctx,
  )
  if (old !== null) await takePlace(old.id, id, ctx)
  if (contract.bussiness_id !== null) await winBussiness(contract.bussiness_id, ctx)
  await refreshTotals(contract.customer_id, old === null ? [id] : [old.id, id], ctx)
  await recordDealEvent(
    {
      kind: old === null ? 'contract_approved' : 'contract_changed',
      customerId: contract.customer_id,
      contractId: id,
      amount: contract.amount,
    },
    ctx,
  )
}

/**
 * The contract that a revision replaces, locked. The new amount must cover its payments and plans.
 * @throws Refusal 409 if it is not in effect any more, or if its payments or plans exceed the new amount
 */
export async function lockRevised(revision: StoredContract, ctx: CallContext): Promise<StoredContract> {
  const old = await lockDeal(revision.revision_of ?? '', ctx)
  if (!isEffective(old)) refuse(409, 'STATE_CONFLICT', text('contract.revised-gone'))
  if (revision.amount < old.received_amount) {
    const amount = text('contract.below-received', {
      received: isClear(ctx.caller, 'contract', 'received_amount')
        ? moneyText(old.received_amount)
        : text('record.withheld'),
    })
    refuse(409, 'STATE_CONFLICT', amount, { fields: { amount } })
  }
  const { rows } = await sql<{
    planned: number
  }>`select coalesce(sum(plan_amount), 0) as planned from payment_plan
    where tenant_id = ${ctx.caller.tenantId} and contract_id = ${old.id} and deleted_at is null`.execute(
    ctx.trx,
  )
  const planned = rows[0]?.planned ?? 0
  if (planned > revision.amount) refuse(409, 'STATE_CONFLICT', plannedAbove(planned, revision.amount, ctx))
  return old
}

/** Moves plans and payments to the revision. The old contract stays for the statistics of its day. */
async function takePlace(oldId: string, id: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  await updateRow('contract', oldId, { replaced_by: id }, ctx)
  for (const table of ['payment_plan', 'payment'] as const)
    await sql`update ${sql.table(table)} set contract_id = ${id}
      where tenant_id = ${caller.tenantId} and contract_id = ${oldId}`.execute(trx)
}

/** Marks the opportunity of a contract as won, and closes the to-dos of the sale. */
async function winBussiness(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const { rows } = await sql<
    ChangedBussiness & { amount: number }
  >`update bussiness b set status = 2, last_stage_id = b.stage_id,
      stage_id = 'won', win_rate = 100, closed_at = ${now}, stage_since = ${now}, next_follow_at = null,
      stage_history = b.stage_history || jsonb_build_array(jsonb_build_object('from', b.stage_id, 'to', 'won',
        'by', ${caller.userId}::text, 'at', ${now.toISOString()}::text)),
      updated_by = ${caller.userId}, updated_at = ${now}, version = b.version + 1
    where b.tenant_id = ${caller.tenantId} and b.id = ${id} and b.status = 1 and b.deleted_at is null
    returning b.id, b.name, b.owner_id, b.customer_id, b.amount`.execute(trx)
  for (const { amount, ...moved } of rows)
    await afterEnd(moved, { event: 'bussiness.won', isDone: true }, { amount }, ctx)
}

/**
 * Voids a contract with everything it revised (DOMAIN 1.6); its open plans are voided too. Its payments stay unchanged.
 * @throws Refusal 409 if it is not in effect or a payment is being approved, 405 if money was received, except for finance
 */
export async function voidContract(id: string, reason: string, ctx: CallContext): Promise<StoredContract> {
  const { trx, caller } = ctx
  const contract = await lockDeal(id, ctx)
  if (!isEffective(contract)) refuseState(contract.approval_status)
  const { rows } = await sql<{ running: number; revisions: number }>`select
    (select count(*) from payment where tenant_id = ${caller.tenantId} and contract_id = ${id}
      and approval_status = 1 and deleted_at is null) as running,
    (select count(*) from contract where tenant_id = ${caller.tenantId} and revision_of = ${id}
      and approval_status = 1 and deleted_at is null) as revisions`.execute(trx)
  const { running = 0, revisions = 0 } = rows[0] ?? {}
  if (running > 0) refuse(409, 'STATE_CONFLICT', text('contract.payment-running'))
  if (revisions > 0) refuse(409, 'STATE_CONFLICT', text('contract.revision-running'))
  if (contract.received_amount > 0 && !caller.permissions.has('payment:approve'))
    refuse(405, 'NO_PERMISSION', text('contract.void-received'), { detail: 'payment:approve' })
  for (let it: string | null = id; it !== null; ) {
    await updateRow('contract', it, { approval_status: STATUS.void, void_reason: reason }, ctx)
    const before: { rows: { revision_of: string | null }[] } = await sql<{ revision_of: string | null }>`
      select revision_of from contract where tenant_id = ${caller.tenantId} and id = ${it}`.execute(trx)
    it = before.rows[0]?.revision_of ?? null
  }
  await sql`update payment_plan set status = 'void' where tenant_id = ${caller.tenantId} and contract_id = ${id}
    and status in ('unpaid', 'partial')`.execute(trx)
  await refreshTotals(contract.customer_id, [id], ctx)
  await recordDealEvent(
    {
      kind: 'contract_void',
      customerId: contract.customer_id,
      contractId: id,
      amount: contract.amount,
      reason,
    },
    ctx,
  )
  return contract
}
