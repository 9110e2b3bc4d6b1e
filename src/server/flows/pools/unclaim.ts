import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolName } from '../../kernel/context/entities.ts'
import { memberPool } from '../../kernel/pools/pool.ts'
import { isPooledRow, pooledTable } from '../../kernel/pools/pooled.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { recordMoves } from '../../kernel/records/owner-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { claimQuota } from './claim.ts'

/** How long a claim can be undone: the 5 s of the button, plus time for a slow network. */
const UNCLAIM_MS = 60_000

/**
 * Undoes the caller's own claims (DOMAIN 1.2.2): each record returns to its pool in its previous state, unless something was done with it
 * meanwhile. The quota stays used, because they have seen the contact data. There is no cool-down, because this is not a return.
 *
 * @param body  `ids`
 */
export async function unclaim(
  entity: PoolName,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const ids = idsOf(body)
  const pools = new Set<string>()
  const data = await eachRecord(ids, async (id) => void pools.add(await unclaimOne(entity, id, ctx)), ctx.trx)
  const [poolId] = pools
  const quota =
    poolId === undefined ? {} : await claimQuota(entity, await memberPool(entity, poolId, ctx), ctx)
  const [first] = ids
  return {
    data: { ...data, ...quota } as unknown as Json,
    detail: { ok: data.ok },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}

/** @returns the pool it lies in again */
async function unclaimOne(entity: PoolName, id: string, ctx: CallContext): Promise<string> {
  const { trx, caller, now } = ctx
  const status = entity === 'lead' ? sql`, status = (was.before ->> 'status')::int` : sql``
  const { rows } = await sql<{ pool: string; at: Date }>`
    with was as (select o.kind, o.to_user, o.from_pool, o.at, o.before from owner_record o
      where o.tenant_id = ${caller.tenantId} and o.entity = ${entity} and o.record_id = ${id}
      order by o.at desc, o.id desc limit 1)
    update ${pooledTable(entity)} r set owner_id = null, owner_dept_id = null, expire_at = null, pool_id = was.from_pool,
      owner_since = (was.before ->> 'owner_since')::timestamptz, obtain_way = was.before ->> 'obtain_way',
      pool_entered_at = (was.before ->> 'pool_entered_at')::timestamptz, pool_reason = was.before ->> 'pool_reason',
      follow_status = was.before ->> 'follow_status', next_follow_at = (was.before ->> 'next_follow_at')::timestamptz,
      updated_by = ${caller.userId}, updated_at = ${now}, version = r.version + 1 ${status}
    from was join pool p on p.id = was.from_pool and p.tenant_id = ${caller.tenantId}
    where r.tenant_id = ${caller.tenantId} and ${isPooledRow(entity)} and r.id = ${id} and r.owner_id = ${caller.userId} and r.deleted_at is null
      and was.kind = 'claim' and was.to_user = ${caller.userId} and was.at >= ${new Date(now.getTime() - UNCLAIM_MS)}
      and r.version = (was.before ->> 'version')::int + 1
      and r.last_follow_at is not distinct from (was.before ->> 'last_follow_at')::timestamptz
    returning was.from_pool as pool, was.at`.execute(trx)
  const [back] = rows
  if (back === undefined) return refuseLate(entity, id, ctx)
  // Without `from_user`: an undone ownership does not count and starts no cool-down.
  await recordMoves(entity, [{ id, kind: 'unclaim', toPool: back.pool }], {
    trx,
    now,
    tenantId: caller.tenantId,
    operatorId: caller.userId,
  })
  if (entity === 'bussiness') await unshareCustomer(id, back.at, ctx)
  return back.pool
}

/** What the caller never held does not exist for them. */
async function refuseLate(entity: PoolName, id: string, { trx, caller }: CallContext): Promise<never> {
  const { rows } =
    await sql`select 1 from owner_record where tenant_id = ${caller.tenantId} and entity = ${entity}
    and record_id = ${id} and to_user = ${caller.userId} limit 1`.execute(trx)
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('call.not-found'))
  refuse(409, 'STATE_CONFLICT', text('pool.unclaim-late'))
}

/** The collaboration on the customer of an opportunity was added by the claim, unless it is older. */
async function unshareCustomer(id: string, at: Date, { trx, caller }: CallContext): Promise<void> {
  await sql`delete from collaborator c using bussiness b
    where b.tenant_id = ${caller.tenantId} and b.id = ${id} and c.tenant_id = b.tenant_id and c.entity = 'customer'
      and c.record_id = b.customer_id and c.user_id = ${caller.userId} and c.created_by = ${caller.userId}
      and c.created_at = ${at}`.execute(trx)
}
