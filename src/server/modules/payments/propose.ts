import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { sumYuan } from '../../kernel/fields/money.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { findContract } from '../contracts/find-contract.ts'
import { openPlans, spreadMore } from '../contracts/share-out.ts'
import type { Share } from '../contracts/spread.ts'
import { seesOpenPlans } from './chosen-shares.ts'
import { findPayment } from './payment.ts'

/** The parameters of a proposal for the payment form. */
export interface Proposed {
  readonly contractId: string
  /** The entered amount; null: the whole open amount. */
  readonly amount: number | null
  /** The plan that the user chose. */
  readonly planId: string | null
  /** The payment that is being edited. */
  readonly id: string | null
}

/**
 * GET /mini/payment/propose: default values of a new payment of a contract, and its assignment to open plans, listed by due date. A payment that is
 * being edited keeps the chosen assignment while its amount is unchanged. Whoever does not see what is open of the plans is shown no assignment: a large
 * amount would be cut to it.
 */
export async function proposePayment(proposal: Proposed, ctx: CallContext): Promise<JsonObject> {
  const contract = await findContract(proposal.contractId, ctx)
  const edited = proposal.id === null ? null : await findPayment(proposal.id, ctx)
  const plans = await openPlans(contract.id, ctx)
  const isSpread = seesOpenPlans(ctx)
  // The open amount is worked out from these: callers who do not see one of them enter the amount themselves.
  const isOpen =
    isClear(ctx.caller, 'payment', 'amount') &&
    isClear(ctx.caller, 'contract', 'amount') &&
    (proposal.planId === null || isSpread)
  const remaining = isOpen ? await stillToCome(contract, proposal.planId, ctx) : 0
  const amount = proposal.amount ?? edited?.amount ?? remaining
  const isUnchanged = edited !== null && edited.contract_id === contract.id && edited.amount === amount
  const shares = spreadMore(
    Math.max(0, amount),
    {
      plan_id: proposal.planId ?? (isUnchanged ? edited.plan_id : null),
      shares: [],
      chosen: isUnchanged ? edited.chosen_shares : null,
    },
    plans,
  )
  return {
    ...(isOpen && proposal.amount === null && edited === null ? { amount: amount > 0 ? amount : null } : {}),
    ...(edited === null ? { paid_at: dayText(wallTimeOf(ctx.now, ctx.zone)) } : {}),
    ...(isSpread ? { shares: await rowsOf(contract.id, shares, ctx) } : {}),
  }
}

/** The amount of the chosen plan, else of the contract, that neither approved nor running payments cover. */
async function stillToCome(
  contract: { readonly id: string; readonly amount: number },
  planId: string | null,
  ctx: CallContext,
): Promise<number> {
  const plan = (await openPlans(contract.id, ctx)).find(({ id }) => id === planId)
  const { rows } = await sql<{ total: number }>`select coalesce(sum(amount), 0) as total from payment
    where tenant_id = ${ctx.caller.tenantId} and contract_id = ${contract.id} and approval_status in (1, 2)
      and deleted_at is null`.execute(ctx.trx)
  const remaining = Math.max(0, sumYuan([contract.amount, -(rows[0]?.total ?? 0)]))
  return plan === undefined ? remaining : Math.min(remaining, Math.max(0, plan.open))
}

/** The open plans of a contract by due date, each with its share of the payment. */
async function rowsOf(contractId: string, shares: readonly Share[], { trx, caller }: CallContext) {
  const { rows } = await sql<{ plan_id: string; period_no: number; plan_date: string; open: number }>`
    select id as plan_id, period_no, plan_date, plan_amount - received_amount as open from payment_plan
    where tenant_id = ${caller.tenantId} and contract_id = ${contractId} and deleted_at is null
      and status in ('unpaid', 'partial')
    order by plan_date, period_no`.execute(trx)
  const mask = rightsMask(caller, 'plan')
  return rows.map((row) => ({
    ...maskRow(row, mask),
    amount: shares.find(({ planId }) => planId === row.plan_id)?.amount ?? 0,
  }))
}
