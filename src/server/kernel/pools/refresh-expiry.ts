import { type RawBuilder, sql } from 'kysely'
import type { PoolEntity, PoolName } from '../asking/entities.ts'
import type { Trx } from '../db/database.ts'
import { type Expiry, expiryOf, type Holding } from './expiry.ts'
import { HOME_RULES, type HomeRules, homePoolOf } from './pool.ts'
import { isOwnPool } from './pooled.ts'
import { poolSettingsOf } from './settings.ts'

/** The transaction and the tenant. */
export interface Place {
  readonly trx: Trx
  readonly tenantId: string
}

const FACTS: Readonly<Record<PoolEntity, RawBuilder<unknown>>> = {
  customer: sql`r.level, r.lock_status as is_locked, r.deal_status = 1 as is_done, null::timestamptz as stage_since,
    exists (select 1 from bussiness b where b.tenant_id = r.tenant_id and b.customer_id = r.id and b.status = 1
      and b.owner_id is not null and b.deleted_at is null) as has_open_bussiness`,
  lead: sql`r.level, false as is_locked, r.status in (40, 50) as is_done, null::timestamptz as stage_since,
    false as has_open_bussiness`,
  bussiness: sql`null as level, false as is_locked, r.status <> 1 as is_done, r.stage_since,
    false as has_open_bussiness`,
}

/** The facts that decide when a record returns, as queried by {@link holdingFacts}. */
export type HoldingFacts = Omit<Holding, 'last_follow_at'> & HomeRules

/** Columns of {@link HoldingFacts}: from `r`, the record, and `home`, the pool to which it returns. */
export const holdingFacts = (entity: PoolEntity): RawBuilder<HoldingFacts> =>
  sql`r.owner_id, r.owner_since, r.obtain_way, ${FACTS[entity]}, ${HOME_RULES}`

/** When a record returns by the rules found with it; null if it never does. */
export const expiryOfFacts = (entity: PoolEntity, row: Holding & HomeRules): Expiry | null =>
  row.home_pool === null ? null : expiryOf(entity, row, poolSettingsOf(entity, row.settings), row.grace_until)

interface Row extends Holding, HomeRules {
  readonly id: string
}

/**
 * Computes when records go back to the pool, and stores it (DOMAIN 1.2.4). Nothing else of the records changes.
 * Call it after every change of owner, follow-up, level, deal, lock, stage or status. Records of own modules never go back by themselves.
 *
 * @returns the expiry of each record by id; null for those that never return
 */
export async function refreshExpiry(
  entity: PoolName,
  ids: readonly string[],
  { trx, tenantId }: Place,
): Promise<ReadonlyMap<string, Expiry | null>> {
  if (ids.length === 0 || isOwnPool(entity)) return new Map()
  const { rows } = await sql<Row>`
    select r.id, r.last_follow_at, ${holdingFacts(entity)}
    from ${sql.table(entity)} r left join lateral (${homePoolOf(entity, tenantId)}) home on true
    where r.tenant_id = ${tenantId} and r.id = any(${[...ids]}::text[])`.execute(trx)
  const found = new Map(rows.map((row) => [row.id, expiryOfFacts(entity, row)]))
  const expiries = rows.map((row) => found.get(row.id)?.at ?? null)
  await sql`update ${sql.table(entity)} r set expire_at = given.at
    from unnest(${rows.map((row) => row.id)}::text[], ${expiries}::timestamptz[]) as given(id, at)
    where r.tenant_id = ${tenantId} and r.id = given.id and r.expire_at is distinct from given.at`.execute(
    trx,
  )
  return found
}
