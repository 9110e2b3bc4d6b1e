import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { sumYuan } from '../../kernel/fields/money.ts'
import { deallocate, joined, type OpenPlan, type Share, spread, spreadChosen } from './spread.ts'

interface Paid {
  readonly id: string
  readonly plan_id: string | null
  /** The amount received, less reversals. */
  readonly net: number
  readonly shares: readonly Share[]
  /** The assignment its author chose; null: its own plan first, then by due date. */
  readonly chosen: readonly Share[] | null
}

/**
 * Assigns each approved payment of a locked contract to its plans, by its current net amount. Reversed amounts are removed first, last assigned
 * first; the unassigned rest is spread over the open plans. What exceeds them stays unassigned until the next change.
 */
export async function shareOut(contractId: string, ctx: CallContext): Promise<void> {
  const payments = await paymentsOf(contractId, ctx)
  for (const payment of payments) {
    const tooMuch = sumYuan([sharedBy(payment), -payment.net])
    if (tooMuch > 0) await store(payment, deallocate(tooMuch, payment.shares), ctx)
  }
  for (const payment of await paymentsOf(contractId, ctx)) {
    const missing = sumYuan([payment.net, -sharedBy(payment)])
    if (missing <= 0) continue
    const more = spreadMore(missing, payment, await openPlans(contractId, ctx))
    if (more.length > 0) await store(payment, joined(payment.shares, more), ctx)
  }
}

function sharedBy({ shares }: Paid): number {
  return sumYuan(shares.map((share) => share.amount))
}

async function paymentsOf(contractId: string, { trx, caller }: CallContext): Promise<readonly Paid[]> {
  const { rows } = await sql<Paid>`select p.id, p.plan_id, p.chosen_shares as chosen,
      p.amount + coalesce((select sum(r.amount) from payment r where r.tenant_id = p.tenant_id and r.reverses_id = p.id
        and r.approval_status = 2 and r.deleted_at is null), 0) as net,
      coalesce((select json_agg(json_build_object('planId', s.plan_id, 'amount', s.amount) order by s.place)
        from payment_share s where s.tenant_id = p.tenant_id and s.payment_id = p.id), '[]') as shares
    from payment p where p.tenant_id = ${caller.tenantId} and p.contract_id = ${contractId} and p.approval_status = 2
      and p.reverses_id is null and p.deleted_at is null
    order by coalesce(p.approved_at, p.created_at), p.id`.execute(trx)
  return rows
}

/**
 * How much of a so far unassigned amount is assigned to which plan.
 * @param payment  its assignments so far, and those its author chose
 */
export function spreadMore(
  missing: number,
  payment: Pick<Paid, 'plan_id' | 'shares' | 'chosen'>,
  plans: readonly OpenPlan[],
): readonly Share[] {
  const { chosen, shares } = payment
  if (chosen === null) return spread(missing, payment.plan_id, plans)
  const has = (planId: string) =>
    sumYuan(shares.filter((share) => share.planId === planId).map((share) => share.amount))
  const open = chosen.map(({ planId, amount }) => ({ planId, amount: sumYuan([amount, -has(planId)]) }))
  const wanted = sumYuan([...chosen.map((it) => it.amount), ...shares.map((share) => -share.amount)])
  return spreadChosen(missing, open, wanted, plans)
}

/** Plans that are not fully paid, the oldest first. */
export async function openPlans(
  contractId: string,
  { trx, caller }: CallContext,
): Promise<readonly OpenPlan[]> {
  const { rows } =
    await sql<OpenPlan>`select l.id, l.plan_amount - coalesce((select sum(s.amount) from payment_share s
      where s.tenant_id = l.tenant_id and s.plan_id = l.id), 0) as open
    from payment_plan l where l.tenant_id = ${caller.tenantId} and l.contract_id = ${contractId}
      and l.status <> 'void' and l.deleted_at is null
    order by l.plan_date, l.period_no`.execute(trx)
  return rows
}

async function store({ id }: Paid, shares: readonly Share[], { trx, caller }: CallContext): Promise<void> {
  await sql`delete from payment_share where tenant_id = ${caller.tenantId} and payment_id = ${id}`.execute(
    trx,
  )
  if (shares.length === 0) return
  const rows = shares.map(({ planId, amount }, i) => ({
    tenant_id: caller.tenantId,
    payment_id: id,
    plan_id: planId,
    place: i + 1,
    amount,
  }))
  await trx.insertInto('payment_share').values(rows).execute()
}
