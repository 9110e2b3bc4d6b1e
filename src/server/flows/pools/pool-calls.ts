import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { PoolEntry } from '../../../contract/pool.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { POOL_ENTITIES, type PoolName } from '../../kernel/context/entities.ts'
import { bad, readListRequest, readTabs } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { isPoolAdmin, memberPool, memberPools } from '../../kernel/pools/pool.ts'
import { isPooledRow, pooledTable, poolRight } from '../../kernel/pools/pooled.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { claimQuota } from './claim.ts'
import type { PoolKind } from './pool-kind.ts'
import type { ClaimWait } from './pool-parts.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * The caller's pools of an entity, with what they may still take (DOMAIN 1.2.5: the header of a pool).
 *
 * @param first  id of the pool to list first, such as the one a message leads to; absent: the default pool
 */
export async function poolEntries(
  { entity, poolId: first }: { readonly entity?: string; readonly poolId?: string },
  ctx: CallContext,
): Promise<{ list: readonly PoolEntry[] }> {
  const known = namesOf(ctx).get(entity ?? '') ?? bad('entity is customer, lead, bussiness or m/<module>')
  if (!ctx.caller.permissions.has(poolRight(known, 'view'))) return { list: [] }
  const pools = [...(await memberPools(known, ctx))].sort(
    (one, other) => Number(other.id === first) - Number(one.id === first),
  )
  const list: PoolEntry[] = []
  for (const pool of pools) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${pooledTable(known)} r
      where ${isPooledRow(known)} and tenant_id = ${ctx.caller.tenantId} and pool_id = ${pool.id} and owner_id is null
        and deleted_at is null`.execute(ctx.trx)
    list.push({
      id: pool.id,
      name: pool.name,
      isDefault: pool.is_default,
      isAdmin: isPoolAdmin(pool, ctx),
      count: rows[0]?.n ?? 0,
      ...(await claimQuota(known, pool, ctx)),
    })
  }
  return { list }
}

/** What has pools, as the paths of its calls name it. */
const namesOf = ({ model }: CallContext): ReadonlyMap<string, PoolName> =>
  new Map<string, PoolName>([
    ...POOL_ENTITIES.map((entity) => [entity, entity] as const),
    ...ownModules(model).flatMap(({ name, behaviours }) =>
      behaviours.includes('pool') ? [[`m/${name}`, ownRights(name)] as const] : [],
    ),
  ])

/** The list of one pool (`poolId` of the body), or of all the caller belongs to. */
async function openPool(kind: PoolKind, body: JsonObject, ctx: CallContext) {
  const { poolId, ...rest } = body
  const isOne = poolId !== undefined && poolId !== null && poolId !== ''
  const { entity } = kind
  const pools = isOne ? [await memberPool(entity, poolId, ctx)] : await memberPools(entity, ctx)
  const ids = pools.map((pool) => pool.id)
  const part = { where: sql<boolean>`true`, key: ids.join() }
  return { pools, spec: kind.list(ids, ctx), request: readListRequest(rest), part }
}

/** Rows of quick tabs (`tabs`; absent: all) under the keyword and the filters of the body. */
export async function poolCounts(kind: PoolKind, body: unknown, ctx: CallContext) {
  const { tabs, ...rest } = isObject(body) ? body : {}
  const { spec, request, part } = await openPool(kind, rest, ctx)
  return openList(spec, request, ctx, part).counts(readTabs(tabs, spec))
}

/** One page, with the header of the pool. */
export async function poolPage(kind: PoolKind, body: unknown, ctx: CallContext) {
  const { pools, ...opened } = await openPool(kind, isObject(body) ? body : {}, ctx)
  const waits = new Map<string, ClaimWait>(
    pools.map((pool) => [
      pool.id,
      {
        cooldownMs: pool.settings.prev_owner_cooldown_days * DAY_MS,
        freshMs: pool.settings.new_data_cooldown_hours * HOUR_MS,
      },
    ]),
  )
  const page = await kind.page({ ...opened, waits }, ctx)
  const [first] = pools
  const header = first === undefined ? {} : await claimQuota(kind.entity, first, ctx)
  return { ...page, ...header } as unknown as Json
}

/** Puts records of the caller's pools into the recycle bin, each for itself. */
export async function removeFrom(
  kind: PoolKind,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const data = await eachRecord(idsOf(body), (id) => kind.remove(id, ctx), ctx.trx)
  return { data, detail: body }
}
