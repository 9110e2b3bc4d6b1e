import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { withdraw } from '../../kernel/approvals/act.ts'
import { type Outcome, submitForApproval } from '../../kernel/approvals/submit.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { idOf } from '../../kernel/fields/check-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { recordDealEvent } from '../contracts/deal-event.ts'
import { isEffective, isOpen, refuseState, STATUS } from '../contracts/find-contract.ts'
import { refreshTotals } from '../contracts/totals.ts'
import { checkOverCollect } from './over-collect.ts'
import { findPayment, lockPayment, lockVisiblePayment } from './payment.ts'
import { answerOf } from './write-payment.ts'

/** Submits a payment for approval: by the owner of its contract or its author. */
export async function submitPayment(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { contract } = await lockVisiblePayment(idOf(body), ctx)
  const found = await findPayment(idOf(body), ctx, true)
  const me = ctx.caller.userId
  if (found.owner_id !== me && found.created_by !== me)
    refuse(405, 'NO_PERMISSION', text('contract.not-owner'), { detail: 'payment:submit' })
  if (!isOpen(found)) refuseState(found.approval_status)
  if (!isEffective(contract)) refuse(409, 'STATE_CONFLICT', text('payment.contract'))
  const { id, payment_no, amount, owner_id, over_confirmed } = found
  const over = await checkOverCollect(
    { id, contractId: contract.id, contractAmount: contract.amount, amount, known: over_confirmed },
    body.confirm,
    ctx,
  )
  await submitForApproval(
    { entity: 'payment', recordId: id, title: payment_no, amount, isBelowMin: false, ownerId: owner_id },
    settlePayment,
    ctx,
  )
  return answerOf(id, ctx, {}, over)
}

/** The submitter withdraws a payment. */
export async function withdrawPayment(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { payment } = await lockVisiblePayment(idOf(body), ctx)
  await withdraw('payment', payment.id, { settle: settlePayment }, ctx)
  return answerOf(payment.id, ctx, {})
}

/** The effect of a finished approval on its payment: an approved one counts immediately for plan, contract and customer. */
export async function settlePayment(id: string, outcome: Outcome, ctx: CallContext): Promise<void> {
  const { payment, contract } = await lockPayment(id, ctx)
  const approved_at = outcome === 'approved' ? ctx.now : null
  await updateRow('payment', id, { approval_status: STATUS[outcome], approved_at }, ctx)
  if (outcome !== 'approved') return
  await refreshTotals(contract.customer_id, [contract.id], ctx)
  await recordDealEvent(
    {
      kind: 'payment_approved',
      customerId: contract.customer_id,
      contractId: contract.id,
      paymentId: id,
      amount: payment.amount,
    },
    ctx,
  )
}
