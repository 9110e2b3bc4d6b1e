import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import { centsOf, yuanOf } from '../../kernel/fields/money.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** How a tenant treats payments above the contract amount: the setting `over_collect` (DOMAIN 1.7). */
type OverCollect = 'warn' | 'block' | 'allow'

function settingOf({ caller }: CallContext): OverCollect {
  const chosen = ownValue(caller.tenant.settings, 'over_collect')
  return chosen === 'block' || chosen === 'allow' ? chosen : 'warn'
}

/**
 * Compares approved, running and new payments with the amount of a contract, which must be locked.
 *
 * @param known  the excess that the author has confirmed before, in yuan
 * @returns the excess with this payment in yuan; 0 if there is none or the tenant allows it
 * @throws Refusal 422 OVER_COLLECT; with `data.confirm` if `confirm: ["OVER_COLLECT"]` is accepted
 */
export async function checkOverCollect(
  payment: {
    readonly id: string | null
    readonly contractId: string
    readonly contractAmount: number
    readonly amount: number
    readonly known: number
  },
  confirm: Json | undefined,
  ctx: CallContext,
): Promise<number> {
  const { rows } = await sql<{ received: number; pending: number }>`select
      coalesce(sum(amount) filter (where approval_status = 2), 0) as received,
      coalesce(sum(amount) filter (where approval_status = 1), 0) as pending
    from payment where tenant_id = ${ctx.caller.tenantId} and contract_id = ${payment.contractId}
      and deleted_at is null and id <> ${payment.id ?? ''}`.execute(ctx.trx)
  const { received = 0, pending = 0 } = rows[0] ?? {}
  const all = centsOf(received) + centsOf(pending) + centsOf(payment.amount)
  const over = yuanOf(Math.max(0, all - centsOf(payment.contractAmount)))
  const setting = settingOf(ctx)
  if (over === 0 || setting === 'allow') return 0
  // The excess would reveal the contract amount, so only callers who see both amounts get it.
  const mayShowAmounts = isClear(ctx.caller, 'contract', 'amount') && isClear(ctx.caller, 'payment', 'amount')
  const sums = { over, received, pending, contract_amount: payment.contractAmount }
  const data = mayShowAmounts ? sums : {}
  const overText = mayShowAmounts ? moneyText(over) : text('record.withheld')
  if (setting === 'block')
    refuse(422, 'OVER_COLLECT', text('payment.over-blocked', { over: overText }), { data })
  if (over > payment.known && !isConfirmed(confirm, 'OVER_COLLECT'))
    refuse(422, 'OVER_COLLECT', text('payment.over', { over: overText }), {
      data: { ...data, confirm: 'OVER_COLLECT' },
    })
  return over
}
