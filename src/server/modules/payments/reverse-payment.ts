import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { MAX_MONEY } from '../../../model/kinds/number.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { hasDigits } from '../../kernel/fields/money.ts'
import { numberFor } from '../../kernel/records/chosen-number.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { recordDealEvent } from '../contracts/deal-event.ts'
import { STATUS } from '../contracts/find-contract.ts'
import { refreshTotals } from '../contracts/totals.ts'
import { findPayment, lockVisiblePayment, reversible } from './payment.ts'
import { answerOf } from './write-payment.ts'

/**
 * Reverses an approved payment (冲销), whole or in part, by a negative payment dated today. The payment itself stays.
 * @param body  `id`, a reason, and `amount` for a part
 */
export async function reversePayment(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now, zone } = ctx
  const { contract } = await lockVisiblePayment(idOf(body), ctx)
  const found = await findPayment(idOf(body), ctx, true)
  if (!found.works) await notYours('payment', found, 'payment:reverse', ctx)
  const { rows } = await sql<{ left: number }>`select ${reversible('p')} as left from payment p
    where p.tenant_id = ${caller.tenantId} and p.id = ${found.id}`.execute(trx)
  const remaining = rows[0]?.left ?? 0
  if (remaining <= 0) refuse(409, 'STATE_CONFLICT', text('payment.not-reversible'))
  const reason = reasonOf(body)
  const amount = body.amount ?? remaining
  const isRight = typeof amount === 'number' && amount > 0 && amount <= MAX_MONEY && hasDigits(amount, 2)
  refuseFaults({
    ...(reason === null ? { reason: text('record.required', { label: text('record.reason') }) } : {}),
    ...(!isRight || amount > remaining
      ? {
          amount: text('payment.reverse-most', {
            left: isClear(caller, 'payment', 'amount') ? moneyText(remaining) : text('record.withheld'),
          }),
        }
      : {}),
  })
  const id = newId(now.getTime())
  const negative = -Number(amount)
  await insertRow(
    'payment',
    {
      id,
      payment_no: await numberFor('payment', null, ctx),
      contract_id: found.contract_id,
      plan_id: found.plan_id,
      reverses_id: found.id,
      amount: negative,
      paid_at: dayText(wallTimeOf(now, zone)),
      method: found.method,
      owner_id: found.owner_id,
      owner_dept_id: found.owner_dept_id,
      approval_status: STATUS.approved,
      submitted_by: caller.userId,
      submitted_at: now,
      approved_at: now,
      remark: reason,
    },
    ctx,
  )
  await refreshTotals(contract.customer_id, [contract.id], ctx)
  await recordDealEvent(
    {
      kind: 'payment_reversed',
      customerId: contract.customer_id,
      contractId: contract.id,
      paymentId: id,
      amount: negative,
      reason,
    },
    ctx,
  )
  return answerOf(id, ctx, { reverses_id: found.id, amount: negative, reason })
}
