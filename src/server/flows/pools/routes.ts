import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { PoolEntry } from '../../../contract/pool.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { POOL_ENTITIES, type PoolEntity } from '../../kernel/asking/entities.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import { ask } from '../../kernel/calls/ask.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import { ownCards } from '../../kernel/fields/ext-cards.ts'
import { bad, readListRequest, readTabs } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { isPoolAdmin, memberPool, memberPools } from '../../kernel/pools/pool.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { removeFromPool } from '../../kernel/records/remove-record.ts'
import { assign } from './assign.ts'
import { claim, claimQuota } from './claim.ts'
import { moveBetweenPools } from './move.ts'
import { poolDetail } from './pool-detail.ts'
import { type ClaimWait, type PoolRow, poolCard, poolListSpec } from './pool-list.ts'
import { readPoolSetting, savePoolSetting } from './settings-calls.ts'
import { unclaim } from './unclaim.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** /mini/pool/… (DOMAIN 8.4): the pools of customers, leads and opportunities. */
export const poolRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { entity?: string } }>('/mini/pool/list', (request) =>
    ask(services, callerOf(request), (asking) => poolEntries(request.query.entity, asking)),
  )
  app.get<OneId>('/mini/pool/setting', { schema: ONE_ID }, (request) =>
    ask(services, callerOf(request), (asking) => readPoolSetting(request.query.id, asking)),
  )
  writer(app, services, 'pool')('/mini/pool/setting', null, savePoolSetting)
  for (const entity of POOL_ENTITIES) {
    const path = `/mini/pool/${entity}`
    const may = (action: 'view' | 'claim' | 'assign' | 'del'): Permission => `${entity}_pool:${action}`
    const config = { permission: may('view') }
    app.post(`${path}/list`, { config }, (request) =>
      ask(services, callerOf(request), (asking) => poolPage(entity, request.body, asking)),
    )
    app.post(`${path}/count`, { config }, (request) =>
      ask(services, callerOf(request), (asking) => poolCounts(entity, request.body, asking)),
    )
    app.get<OneId>(`${path}/detail`, { schema: ONE_ID, config }, (request) =>
      ask(services, callerOf(request), (asking) => poolDetail(entity, request.query.id, asking)),
    )
    const write = writer(app, services, entity)
    write(`${path}/claim`, may('claim'), (body, asking) => claim(entity, body, asking))
    write(`${path}/unclaim`, may('claim'), (body, asking) => unclaim(entity, body, asking))
    write(`${path}/assign`, may('assign'), (body, asking) => assign(entity, body, asking))
    write(`${path}/move`, may('assign'), (body, asking) => moveBetweenPools(entity, body, asking))
    write(`${path}/delete`, may('del'), async (body, asking) => ({
      data: await eachRecord(idsOf(body), (id) => removeFromPool(entity, id, asking), asking.trx),
      detail: body,
    }))
  }
}

/** The caller's pools of an entity, with the remaining quota (DOMAIN 1.2.5: the header of a pool). */
async function poolEntries(
  entity: string | undefined,
  asking: Asking,
): Promise<{ list: readonly PoolEntry[] }> {
  const known = POOL_ENTITIES.find((it) => it === entity) ?? bad('entity is customer, lead or bussiness')
  if (!asking.caller.permissions.has(`${known}_pool:view`)) return { list: [] }
  const pools = await memberPools(known, asking)
  const list: PoolEntry[] = []
  for (const pool of pools) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(known)}
      where tenant_id = ${asking.caller.tenantId} and pool_id = ${pool.id} and owner_id is null
        and deleted_at is null`.execute(asking.trx)
    list.push({
      id: pool.id,
      name: pool.name,
      isDefault: pool.is_default,
      isAdmin: isPoolAdmin(pool, asking),
      count: rows[0]?.n ?? 0,
      ...(await claimQuota(known, pool, asking)),
    })
  }
  return { list }
}

/** The list of one pool (`poolId` of the body), or of all the caller belongs to. */
async function openPool(entity: PoolEntity, body: JsonObject, asking: Asking) {
  const { poolId, ...rest } = body
  const isOne = poolId !== undefined && poolId !== null && poolId !== ''
  const pools = isOne ? [await memberPool(entity, poolId, asking)] : await memberPools(entity, asking)
  const ids = pools.map((pool) => pool.id)
  const spec = poolListSpec(entity, ids, asking)
  const asked = readListRequest(rest)
  const part = { where: sql<boolean>`true`, key: ids.join() }
  return { pools, spec, asked, list: openList<PoolRow>(spec, asked, asking, part) }
}

/** The number of rows in quick tabs (`tabs`; absent: all) under the keyword and the filters of the body. */
async function poolCounts(entity: PoolEntity, body: unknown, asking: Asking) {
  const { tabs, ...rest } = isObject(body) ? body : {}
  const { spec, list } = await openPool(entity, rest, asking)
  return list.counts(readTabs(tabs, spec))
}

/** One page, with the header of the pool. */
async function poolPage(entity: PoolEntity, body: unknown, asking: Asking) {
  const { pools, spec, asked, list } = await openPool(entity, isObject(body) ? body : {}, asking)
  const waits = new Map<string, ClaimWait>(
    pools.map((pool) => [
      pool.id,
      {
        cooldownMs: pool.settings.prev_owner_cooldown_days * DAY_MS,
        freshMs: pool.settings.new_data_cooldown_hours * HOUR_MS,
      },
    ]),
  )
  const page = await list.page((row) => poolCard(entity, row, waits, asking))
  const [first] = pools
  const header = first === undefined ? {} : await claimQuota(entity, first, asking)
  const cards = await ownCards(entity, asking)?.(spec, asked, page.list)
  return { ...page, list: cards ?? page.list, ...header } as unknown as Json
}
