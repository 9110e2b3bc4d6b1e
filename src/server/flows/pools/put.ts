import { sql } from 'kysely'
import type { PoolName } from '../../kernel/context/entities.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { isPooledRow, pooledTable } from '../../kernel/pools/pooled.ts'
import { type OwnerMove, recordMoves } from '../../kernel/records/owner-record.ts'

/** A record that is moved to a pool. */
export interface PutRecord {
  readonly id: string
  readonly owner_id: string
  readonly reason: string
}

/** The pool, and the person who acts; `operatorId` null is the system. */
export interface Putting {
  readonly trx: Trx
  readonly tenantId: string
  readonly now: Date
  readonly operatorId: string | null
  readonly poolId: string
  readonly kind: Extract<OwnerMove['kind'], 'release' | 'recycle'>
  readonly remark?: string | null
}

/**
 * Moves owned records to a pool: owner and collaborators are removed, contacts follow their customer. Only rows that still belong to the given owner
 * are changed.
 */
export async function putIntoPool(
  entity: PoolName,
  records: readonly PutRecord[],
  { trx, tenantId, now, operatorId, poolId, kind, remark }: Putting,
): Promise<readonly string[]> {
  if (records.length === 0) return []
  const unlock = entity === 'customer' ? sql`, lock_status = false, lock_until = null` : sql``
  const { rows } = await sql<{ id: string; owner: string; reason: string }>`
    update ${pooledTable(entity)} r set owner_id = null, owner_dept_id = null, owner_since = null, expire_at = null,
      prev_owner_id = given.owner, pool_id = ${poolId}, pool_entered_at = ${now}, pool_reason = given.reason,
      pool_times = r.pool_times + 1, next_follow_at = null, updated_by = ${operatorId}, updated_at = ${now},
      version = r.version + 1 ${unlock}
    from unnest(${records.map((record) => record.id)}::text[], ${records.map((record) => record.owner_id)}::text[],
      ${records.map((record) => record.reason)}::text[]) as given(id, owner, reason)
    where r.tenant_id = ${tenantId} and ${isPooledRow(entity)} and r.id = given.id and r.owner_id = given.owner and r.deleted_at is null
    returning r.id, given.owner, given.reason`.execute(trx)
  const ids = rows.map((row) => row.id)
  await sql`delete from collaborator where tenant_id = ${tenantId} and entity = ${entity}
    and record_id = any(${ids}::text[])`.execute(trx)
  await recordMoves(
    entity,
    rows.map((row) => ({
      id: row.id,
      kind,
      fromUser: row.owner,
      toPool: poolId,
      reason: row.reason,
      remark: remark ?? null,
    })),
    { trx, now, tenantId, operatorId },
  )
  return ids
}
