import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolName } from '../../kernel/context/entities.ts'
import { isPooledRow, pooledName, pooledTable } from '../../kernel/pools/pooled.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { recordMoves } from '../../kernel/records/owner-record.ts'
import type { OwnerChange } from '../../kernel/records/tables.ts'

/** A record that left a pool. */
export interface TakenRecord {
  readonly id: string
  readonly name: string
  readonly pool_id: string
  readonly prev_owner_id: string | null
  /** Its previous state in the pool. */
  readonly before: JsonObject
}

/** The columns that a claim changes and undoing it restores. */
const BEFORE = sql`jsonb_build_object('version', version, 'owner_since', owner_since, 'obtain_way', obtain_way,
  'pool_entered_at', pool_entered_at, 'pool_reason', pool_reason, 'follow_status', follow_status,
  'next_follow_at', next_follow_at, 'last_follow_at', last_follow_at)`

/**
 * Assigns records of a pool to a person, in one statement that takes only records without an owner: of many simultaneous requests
 * exactly one succeeds (DOMAIN 1.2.2, steps 5 and 6). Quotas and cool-downs are checked before.
 *
 * @returns the records that were still available
 */
export async function takeFromPool(
  entity: PoolName,
  ids: readonly string[],
  to: {
    readonly userId: string
    readonly poolIds: readonly string[]
    readonly kind: Extract<OwnerChange, 'claim' | 'assign'>
  },
  ctx: CallContext,
): Promise<readonly TakenRecord[]> {
  const { trx, caller, now } = ctx
  const way = to.kind === 'claim' ? 'claimed' : 'assigned'
  const reset =
    entity === 'lead' ? sql`, status = case when r.status in (40, 50) then r.status else 10 end` : sql``
  const lead = entity === 'lead' ? sql`|| jsonb_build_object('status', status)` : sql``
  const { rows } = await sql<TakenRecord>`
    with wanted as (select id, pool_id, ${BEFORE} ${lead} as before from ${pooledTable(entity)} r
      where ${isPooledRow(entity)} and tenant_id = ${caller.tenantId} and id = any(${[...ids]}::text[]) and pool_id = any(${[...to.poolIds]}::text[]))
    update ${pooledTable(entity)} r set owner_id = m.user_id, owner_dept_id = m.dept_id, owner_since = ${now},
      obtain_way = ${way}, pool_id = null, pool_entered_at = null, pool_reason = null, follow_status = 'none',
      next_follow_at = null, updated_by = ${caller.userId}, updated_at = ${now}, version = r.version + 1 ${reset}
    from membership m, wanted
    where r.tenant_id = ${caller.tenantId} and ${isPooledRow(entity)} and r.id = wanted.id and r.owner_id is null and r.deleted_at is null
      and m.tenant_id = r.tenant_id and m.user_id = ${to.userId} and m.status = 'enabled'
    returning r.id, ${pooledName(entity)} as name, wanted.pool_id, r.prev_owner_id, wanted.before`.execute(
    trx,
  )
  await recordMoves(
    entity,
    rows.map((row) => ({
      id: row.id,
      kind: to.kind,
      toUser: to.userId,
      fromPool: row.pool_id,
      before: to.kind === 'claim' ? row.before : null,
    })),
    { trx, now, tenantId: caller.tenantId, operatorId: caller.userId },
  )
  const takenIds = rows.map((row) => row.id)
  await refreshExpiry(entity, takenIds, { trx, tenantId: caller.tenantId })
  if (entity === 'bussiness') await shareCustomers(takenIds, to.userId, ctx)
  return rows
}

/** Whoever gets an opportunity also works on its customer: they become a write collaborator unless they own it (DOMAIN 1.5). */
async function shareCustomers(
  ids: readonly string[],
  userId: string,
  { trx, caller, now }: CallContext,
): Promise<void> {
  await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, created_by, created_at)
    select distinct c.tenant_id, 'customer', c.id, ${userId}, 'write', ${caller.userId}, ${now}::timestamptz
    from bussiness b join customer c on c.tenant_id = b.tenant_id and c.id = b.customer_id
    where b.tenant_id = ${caller.tenantId} and b.id = any(${[...ids]}::text[]) and c.deleted_at is null
      and c.owner_id is not null and c.owner_id <> ${userId}
    on conflict (tenant_id, entity, record_id, user_id) do update set level = 'write', expire_at = null`.execute(
    trx,
  )
}
