import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import { isConfirmed } from '../../kernel/fields/check-record.ts'
import { centsOf, yuanOf } from '../../kernel/fields/money.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** What a tenant does with a payment above the contract amount: its setting `over_collect` (DOMAIN 1.7). */
type OverCollect = 'warn' | 'block' | 'allow'

function settingOf({ caller }: Asking): OverCollect {
  const chosen = ownValue(caller.tenant.settings, 'over_collect')
  return chosen === 'block' || chosen === 'allow' ? chosen : 'warn'
}

/**
 * Compares what is approved, on its way and new with the amount of a contract, which the transaction holds.
 *
 * @param known  how far above it the author has gone knowingly before, in yuan
 * @returns how far above it this payment goes, in yuan; 0 when it stays within or the tenant allows it
 * @throws Refusal 422 OVER_COLLECT; with `data.confirm` where `confirm: ["OVER_COLLECT"]` lets it pass
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
  asking: Asking,
): Promise<number> {
  const { rows } = await sql<{ received: number; pending: number }>`select
      coalesce(sum(amount) filter (where approval_status = 2), 0) as received,
      coalesce(sum(amount) filter (where approval_status = 1), 0) as pending
    from payment where tenant_id = ${asking.caller.tenantId} and contract_id = ${payment.contractId}
      and deleted_at is null and id <> ${payment.id ?? ''}`.execute(asking.trx)
  const { received = 0, pending = 0 } = rows[0] ?? {}
  const all = centsOf(received) + centsOf(pending) + centsOf(payment.amount)
  const over = yuanOf(Math.max(0, all - centsOf(payment.contractAmount)))
  const setting = settingOf(asking)
  if (over === 0 || setting === 'allow') return 0
  // How far above it is tells what the contract is worth.
  const isTold = isClear(asking.caller, 'contract', 'amount') && isClear(asking.caller, 'payment', 'amount')
  const sums = { over, received, pending, contract_amount: payment.contractAmount }
  const data = isTold ? sums : {}
  const said = isTold ? moneyText(over) : text('record.withheld')
  if (setting === 'block') refuse(422, 'OVER_COLLECT', text('payment.over-blocked', { over: said }), { data })
  if (over > payment.known && !isConfirmed(confirm, 'OVER_COLLECT'))
    refuse(422, 'OVER_COLLECT', text('payment.over', { over: said }), {
      data: { ...data, confirm: 'OVER_COLLECT' },
    })
  return over
}
