import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { PoolEntity } from '../../kernel/asking/entities.ts'
import { targetPool } from '../../kernel/pools/pool.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { findInPool } from '../../kernel/records/find-in-pool.ts'
import type { Written } from '../../kernel/records/write-once.ts'

/** Moves records from one pool to another (DOMAIN 1.2.5); they keep their time of entry. */
export async function moveBetweenPools(
  entity: PoolEntity,
  body: JsonObject,
  asking: Asking,
): Promise<Written<Json>> {
  const { trx, caller, now } = asking
  const pool = await targetPool(entity, body.poolId ?? '', asking)
  const data = await eachRecord(
    idsOf(body),
    async (id) => {
      await findInPool(entity, id, asking)
      await sql`update ${sql.table(entity)} set pool_id = ${pool.id}, updated_by = ${caller.userId},
          updated_at = ${now}, version = version + 1
        where tenant_id = ${caller.tenantId} and id = ${id} and owner_id is null`.execute(trx)
    },
    trx,
  )
  return { data, detail: { poolId: pool.id, ok: data.ok } }
}
