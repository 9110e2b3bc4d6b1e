import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { PoolName } from '../context/entities.ts'
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
  /** For a claim: the previous state of the record in its pool, for undoing the claim. */
  readonly before?: JsonObject | null
}

const COLUMNS = sql`(tenant_id, id, entity, record_id, from_user, to_user, from_pool, to_pool, kind, reason, remark, operator_id, at, before)`

/** Who moves records, and when. */
interface Mover {
  readonly now: Date
  readonly tenantId: string
  readonly operatorId: string | null
}

/** Records changes of owner permanently: quotas, cool-downs and statistics are computed from them. */
export async function recordMoves(
  entity: PoolName,
  moves: readonly OwnerMove[],
  by: Mover & { readonly trx: Trx },
): Promise<void> {
  if (moves.length === 0) return
  const rows = moves.map((move) => sql`(${valuesOf(entity, move, by)})`)
  await sql`insert into owner_record ${COLUMNS} values ${sql.join(rows)}`.execute(by.trx)
}

/** The same for a record that is made by the same statement: one line for a row of `made`, as `name as (…)`. */
export const movesMade = (entity: PoolName, move: OwnerMove, by: Mover): RawBuilder<unknown> =>
  sql`moved as (insert into owner_record ${COLUMNS} select ${valuesOf(entity, move, by)} from made)`

const valuesOf = (entity: PoolName, it: OwnerMove, by: Mover): RawBuilder<unknown> =>
  sql`${by.tenantId}, ${newId(by.now.getTime())}, ${entity}, ${it.id}, ${it.fromUser ?? null}, ${it.toUser ?? null},
    ${it.fromPool ?? null}, ${it.toPool ?? null}, ${it.kind}, ${it.reason ?? null}, ${it.remark ?? null}, ${by.operatorId},
    ${by.now}::timestamptz, ${it.before ? JSON.stringify(it.before) : null}::jsonb`
