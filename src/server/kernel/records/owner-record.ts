import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { PoolEntity } from '../asking/entities.ts'
import type { Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import type { OwnerChange } from './tables.ts'

/** One change of owner (DOMAIN 1.0). */
export interface OwnerMove {
  readonly id: string
  readonly kind: OwnerChange
  readonly fromUser?: string | null
  readonly toUser?: string | null
  readonly fromPool?: string | null
  readonly toPool?: string | null
  readonly reason?: string | null
  readonly remark?: string | null
  /** Of a claim: the record as it lay in its pool, for taking the claim back. */
  readonly before?: JsonObject | null
}

/** Writes changes of owner down, for good: quotas, cool-downs and statistics count from here. */
export async function recordMoves(
  entity: PoolEntity,
  moves: readonly OwnerMove[],
  by: {
    readonly trx: Trx
    readonly now: Date
    readonly tenantId: string
    readonly operatorId: string | null
  },
): Promise<void> {
  if (moves.length === 0) return
  const rows = moves.map(
    (it) => sql`(${by.tenantId}, ${newId(by.now.getTime())}, ${entity}, ${it.id}, ${it.fromUser ?? null},
      ${it.toUser ?? null}, ${it.fromPool ?? null}, ${it.toPool ?? null}, ${it.kind}, ${it.reason ?? null},
      ${it.remark ?? null}, ${by.operatorId}, ${by.now}::timestamptz,
      ${it.before ? JSON.stringify(it.before) : null}::jsonb)`,
  )
  await sql`insert into owner_record
      (tenant_id, id, entity, record_id, from_user, to_user, from_pool, to_pool, kind, reason, remark, operator_id, at, before)
    values ${sql.join(rows)}`.execute(by.trx)
}
