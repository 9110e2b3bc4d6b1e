import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { targetPool } from '../../kernel/pools/pool.ts'
import { linkToPooled, messageSubject, pooledLabel, someNames } from '../../kernel/pools/pooled.ts'
import { announce } from '../../kernel/records/announce.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { checkDescribed } from '../../kernel/records/described.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import type { PoolKind } from './pool-kind.ts'
import { putIntoPool } from './put.ts'

/** Why a record is returned; the reason and the remark are stored in its history (DOMAIN 1.0 pool_reason). */
const RELEASE_FIELDS: readonly Field[] = [
  { name: 'reason', kind: 'choice', dict: 'pool_reason', label: text('pool.field.reason'), required: true },
  { name: 'remark', kind: 'long-text', max: 200, label: text('pool.field.remark') },
]

/**
 * 放入公海 / 退回 (DOMAIN 1.1.6): returns the caller's own records or those in their scope, each independently.
 *
 * @param body  `ids` ≤ 200, `poolId` (default: the tenant's default pool), `reason`, `remark`
 */
export async function release(
  kind: PoolKind,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { entity } = kind
  const { trx, caller, now } = ctx
  const ids = idsOf(body)
  const { ids: _ids, poolId, ...given } = body
  const { values, faults } = await checkDescribed(given, RELEASE_FIELDS, ctx)
  refuseFaults(faults)
  const pool = await targetPool(entity, poolId, ctx)
  const reason = String(values.reason)
  const idsByOwner = new Map<string, string[]>()
  const data = await eachRecord(
    ids,
    async (id) => {
      const owner = await kind.ownerToRelease(id, pool, ctx)
      await putIntoPool(entity, [{ id, owner_id: owner, reason }], {
        trx,
        tenantId: caller.tenantId,
        now,
        operatorId: caller.userId,
        poolId: pool.id,
        kind: 'release',
        remark: typeof values.remark === 'string' ? values.remark : null,
      })
      idsByOwner.set(owner, [...(idsByOwner.get(owner) ?? []), id])
    },
    trx,
  )
  for (const [owner, takenIds] of idsByOwner) {
    const { about, words } = messageSubject(entity, takenIds, pooledLabel(entity, ctx))
    const params = {
      ...words,
      by: caller.name,
      count: takenIds.length,
      names: await someNames(entity, takenIds, ctx),
      into: text('pool.into', { pool: pool.name }),
    }
    const link = linkToPooled(entity, pool.id, takenIds)
    await announce({ event: 'record.taken', to: owner, ...about, link, params }, ctx)
  }
  const [first] = ids
  return {
    data: { ...data, pool: { id: pool.id, name: pool.name } },
    detail: { ids: [...ids], poolId: pool.id, reason },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}
