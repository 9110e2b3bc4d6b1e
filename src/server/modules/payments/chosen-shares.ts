import { moneyText } from '../../../../runtime/core/decimal.ts'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import { MAX_MONEY } from '../../../model/kinds/number.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { hasDigits, sumYuan } from '../../kernel/fields/money.ts'
import { labelOfField } from '../../kernel/records/described.ts'
import { text } from '../../kernel/text/text.ts'
import { MAX_PLANS } from '../contracts/plan-rows.ts'
import { openPlans } from '../contracts/share-out.ts'
import type { Share } from '../contracts/spread.ts'

/** Whether the caller sees what is open of plans, and so assigns payments to them. */
export const seesOpenPlans = ({ caller }: CallContext): boolean =>
  isClear(caller, 'plan', 'unreceived_amount')

/**
 * The assignment that the author of a payment chose, as the form sends it: rows of `plan_id` and `amount`, 0 for a plan that gets nothing.
 * @returns null without rows: its own plan comes first, then the others by due date
 * @throws Refusal 400 if the rows exceed the payment, one exceeds the open amount of its plan, or a plan is of another contract
 */
export async function chosenShares(
  given: Json | undefined,
  payment: { readonly contractId: string; readonly amount: number },
  ctx: CallContext,
): Promise<readonly Share[] | null> {
  const rows = given ?? []
  if (!Array.isArray(rows) || rows.length > MAX_PLANS || !rows.every(isObject))
    refuseFaults({ shares: text('payment.shares') })
  if (!Array.isArray(rows) || rows.length === 0) return null
  const plans = new Map((await openPlans(payment.contractId, ctx)).map(({ id, open }) => [id, open]))
  const shares: Share[] = []
  const faults: Record<string, string> = {}
  for (const [index, row] of rows.filter(isObject).entries()) {
    const planId = String(row.plan_id ?? '')
    const amount = row.amount ?? 0
    const open = plans.get(planId)
    const isAmount = typeof amount === 'number' && amount >= 0 && amount <= MAX_MONEY && hasDigits(amount, 2)
    if (open === undefined || shares.some((share) => share.planId === planId))
      faults.shares = text('record.not-offered', { label: labelOfField('payment', 'plan_id', ctx) })
    else if (!isAmount || amount > Math.max(0, open))
      faults[`shares.${index}.amount`] = text('payment.share-most', { open: moneyText(Math.max(0, open)) })
    else shares.push({ planId, amount })
  }
  refuseFaults({ ...faults, ...tooMuch(shares, payment.amount) })
  return shares
}

function tooMuch(shares: readonly Share[], amount: number): Faults {
  const sum = sumYuan(shares.map((share) => share.amount))
  if (sum <= amount) return {}
  return { shares: text('payment.shares-above', { sum: moneyText(sum), amount: moneyText(amount) }) }
}
