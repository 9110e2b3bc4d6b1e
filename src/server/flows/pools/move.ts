import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { targetPool } from '../../kernel/pools/pool.ts'
import { isPooledRow, pooledTable } from '../../kernel/pools/pooled.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import type { PoolKind } from './pool-kind.ts'

/** Moves records from one pool to another (DOMAIN 1.2.5); they keep their time of entry. */
export async function moveBetweenPools(
  { entity, hold }: PoolKind,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const pool = await targetPool(entity, body.poolId ?? '', ctx)
  const data = await eachRecord(
    idsOf(body),
    async (id) => {
      await hold(id, ctx)
      await sql`update ${pooledTable(entity)} r set pool_id = ${pool.id}, updated_by = ${caller.userId},
          updated_at = ${now}, version = version + 1
        where tenant_id = ${caller.tenantId} and ${isPooledRow(entity)} and id = ${id} and owner_id is null`.execute(
        trx,
      )
    },
    trx,
  )
  return { data, detail: { poolId: pool.id, ok: data.ok } }
}
