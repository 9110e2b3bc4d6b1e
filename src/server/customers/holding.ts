import { sql } from 'kysely'
import { ownValue } from '../../../runtime/core/json.ts'
import { refuse } from '../envelope.ts'
import type { Asking } from '../records/asking.ts'
import { text } from '../text.ts'
import { expireAt, type Holding, recycleRulesOf } from './expiry.ts'

const CAP_DEFAULT = 200

/** Settings of a pool, or of the tenant's default pool of customers when there is none. */
export async function poolSettings({ trx, caller }: Asking): Promise<unknown> {
  const { rows } = await sql<{ settings: unknown }>`select settings from pool
    where tenant_id = ${caller.tenantId} and entity = 'customer' and deleted_at is null
    order by is_default desc, created_at, id limit 1`.execute(trx)
  return rows[0]?.settings ?? {}
}

/**
 * Refuses with 422 when one more customer is more than a person may hold; deals do not count (CRM 1.2.1, 1.2.2).
 * Whoever asks for the same person waits until this transaction ends.
 */
export async function checkHoldingCap(asking: Asking, userId: string): Promise<void> {
  const { trx, caller } = asking
  const cap = ownValue(await poolSettings(asking), 'holding_cap') ?? CAP_DEFAULT
  if (typeof cap !== 'number' || cap === 0) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holding/${caller.tenantId}/${userId}`}, 0))`.execute(
    trx,
  )
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from customer where tenant_id = ${caller.tenantId}
    and owner_id = ${userId} and deal_status = 0 and deleted_at is null`.execute(trx)
  if ((rows[0]?.n ?? 0) >= cap) refuse(422, 'HOLDING_CAP', text('customer.holding-cap', { cap }))
}

/** Computes when the customer goes back to the pool, and stores it (CRM 1.2.4). */
export async function refreshExpiry(asking: Asking, customerId: string): Promise<void> {
  const { trx, caller } = asking
  const { rows } =
    await sql<Holding>`select owner_id, owner_since, obtain_way, level, deal_status, lock_status,
      last_follow_at, exists (select 1 from bussiness b where b.tenant_id = c.tenant_id and b.customer_id = c.id
        and b.status = 1 and b.deleted_at is null) as has_open_bussiness
    from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${customerId}`.execute(trx)
  const [holding] = rows
  if (holding === undefined) return
  const expire_at = expireAt(holding, recycleRulesOf(await poolSettings(asking)))
  await trx
    .updateTable('customer')
    .set({ expire_at })
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', customerId)
    .execute()
}
