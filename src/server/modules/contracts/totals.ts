import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { JobRun } from '../../kernel/context/job.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { refreshExpiry } from '../customers/holding.ts'
import { effective } from './find-contract.ts'
import { shareOut } from './share-out.ts'

/**
 * Recomputes the totals of a customer and of some of its contracts, with their plans, from the rows below them (DOMAIN 1.6, 1.7). Customer and
 * contracts must be locked (`lockDeal`). Versions stay unchanged, so that somebody who edits one of the records gets no conflict.
 */
export async function refreshTotals(
  customerId: string,
  contractIds: readonly string[],
  ctx: CallContext,
): Promise<void> {
  for (const id of contractIds) {
    await refreshPlans(id, ctx)
    await refreshContract(id, ctx)
  }
  await refreshCustomer(customerId, ctx)
  await refreshExpiry(ctx, customerId)
}

/** Recomputes received amount and status of the plans of a locked contract from the assigned payments. */
export async function refreshPlans(contractId: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  await shareOut(contractId, ctx)
  await sql`update payment_plan p set received_amount = s.total,
      status = case when p.status = 'void' then 'void' when s.total >= p.plan_amount then 'paid'
        when s.total > 0 then 'partial' else 'unpaid' end
    from (select l.id, coalesce(sum(x.amount), 0) as total from payment_plan l
        left join payment_share x on x.tenant_id = l.tenant_id and x.plan_id = l.id
      where l.tenant_id = ${caller.tenantId} and l.contract_id = ${contractId} group by l.id) s
    where p.tenant_id = ${caller.tenantId} and p.id = s.id`.execute(trx)
}

async function refreshContract(id: string, { trx, caller, now, zone }: CallContext): Promise<void> {
  const today = dayText(wallTimeOf(now, zone))
  await sql`update contract k set received_amount = s.total,
      perform_status = ${performance(sql`s.total`, today)}
    from (select coalesce(sum(amount), 0) as total from payment where tenant_id = ${caller.tenantId}
      and contract_id = ${id} and approval_status = 2 and deleted_at is null) s
    where k.tenant_id = ${caller.tenantId} and k.id = ${id}`.execute(trx)
}

/** The performance status that follows from dates and payments of `k`; a status set by hand stays (DOMAIN 1.6). */
function performance(received: ReturnType<typeof sql>, today: string) {
  return sql`case when not ${effective('k')} or k.performed_by_hand then k.perform_status
    when ${received} >= k.amount and (k.end_date is null or k.end_date < ${today}::date) then 2
    when k.start_date > ${today}::date then 0 else 1 end`
}

/**
 * Updates the performance status of the contracts of a tenant that begin or end. A nightly job.
 * @returns the number of changed contracts
 */
export async function refreshPerformance({ trx, tenantId, now, zone }: JobRun): Promise<number> {
  const today = dayText(wallTimeOf(now, zone))
  const status = performance(sql`k.received_amount`, today)
  const { rows } = await sql`update contract k set perform_status = ${status}
    where k.tenant_id = ${tenantId} and ${effective('k')} and k.perform_status <> ${status}
    returning 1`.execute(trx)
  return rows.length
}

/** Counts contracts in effect as deals, and every approved payment as received, also of a void contract: the money did come in. */
async function refreshCustomer(id: string, { trx, caller, zone }: CallContext): Promise<void> {
  await sql`update customer c set deal_count = d.n, deal_amount = d.total, received_amount = r.total,
      deal_status = case when d.n > 0 then 1 else c.deal_status end,
      deal_at = coalesce(d.first::timestamp at time zone ${zone}, c.deal_at)
    from (select count(*) as n, coalesce(sum(k.amount), 0) as total, min(k.sign_date) as first from contract k
        where k.tenant_id = ${caller.tenantId} and k.customer_id = ${id} and ${effective('k')}) d,
      (select coalesce(sum(p.amount), 0) as total from payment p
        join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
        where p.tenant_id = ${caller.tenantId} and k.customer_id = ${id} and p.approval_status = 2
          and p.deleted_at is null and k.deleted_at is null) r
    where c.tenant_id = ${caller.tenantId} and c.id = ${id}`.execute(trx)
}
