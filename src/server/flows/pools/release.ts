import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { PoolEntity } from '../../kernel/asking/entities.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { type Pool, targetPool } from '../../kernel/pools/pool.ts'
import { announce } from '../../kernel/records/announce.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { checkDescribed } from '../../kernel/records/described.ts'
import { type FoundRecord, findInScope } from '../../kernel/records/find-record.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
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
export async function release(entity: PoolEntity, body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { trx, caller, now } = asking
  const ids = idsOf(body)
  const { ids: _ids, poolId, ...given } = body
  const { values, faults } = await checkDescribed(given, RELEASE_FIELDS, asking)
  refuseFaults(faults)
  const pool = await targetPool(entity, poolId, asking)
  const reason = String(values.reason)
  const lost = new Map<string, string[]>()
  const data = await eachRecord(
    ids,
    async (id) => {
      const found = await findInScope(entity, id, asking, 'release')
      await refuseUnreleasable(entity, found, pool, asking)
      const owner = found.owner_id ?? ''
      await putIntoPool(entity, [{ id, owner_id: owner, reason }], {
        trx,
        tenantId: caller.tenantId,
        now,
        operatorId: caller.userId,
        poolId: pool.id,
        kind: 'release',
        remark: typeof values.remark === 'string' ? values.remark : null,
      })
      lost.set(owner, [...(lost.get(owner) ?? []), id])
    },
    trx,
  )
  for (const [owner, taken] of lost)
    await announce(
      {
        event: 'record.taken',
        to: owner,
        entity,
        ids: taken,
        params: { by: caller.name, count: taken.length },
      },
      asking,
    )
  const [first] = ids
  return {
    data: { ...data, pool: { id: pool.id, name: pool.name } },
    detail: { ids: [...ids], poolId: pool.id, reason },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}

async function refuseUnreleasable(
  entity: PoolEntity,
  found: FoundRecord,
  pool: Pool,
  { trx, caller }: Asking,
): Promise<void> {
  if (found.owner_id === null) refuse(409, 'STATE_CONFLICT', text('pool.in-pool'))
  if (entity === 'lead' && found.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'))
  if (entity === 'bussiness' && found.status !== 1) refuse(409, 'STATE_CONFLICT', text('bussiness.closed'))
  if (entity !== 'customer') return
  if (found.lock_status === true) refuse(422, 'LOCKED', text('customer.locked'))
  if (found.deal_status === 1 && !pool.settings.release_deal)
    refuse(409, 'STATE_CONFLICT', text('customer.release-deal'))
  const { rows } =
    await sql`select 1 from contract where tenant_id = ${caller.tenantId} and customer_id = ${found.id}
    and approval_status = 1 and deleted_at is null limit 1`.execute(trx)
  if (rows.length > 0) refuse(409, 'STATE_CONFLICT', text('customer.release-approval'))
}
