import { type RawBuilder, sql } from 'kysely'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import { type OwnRights, ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity, PoolName } from '../context/entities.ts'
import { type Expiry, expiryOf, type Holding } from './expiry.ts'
import { applicableRules, hasNoRules, ownFacts, ownReturn, type Place, readOwn } from './own-return.ts'
import { HOME_RULES, type HomeRules, homePool, homePoolOf } from './pool.ts'
import { isOwnPool, isPooledRow, pooledTable } from './pooled.ts'
import { poolSettingsOf } from './settings.ts'

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

/** When a record returns by the rules in its row; null if it never returns. */
export const expiryOfFacts = (entity: PoolEntity, row: Holding & HomeRules): Expiry | null =>
  row.home_pool === null ? null : expiryOf(entity, row, poolSettingsOf(entity, row.settings), row.grace_until)

interface Found extends Holding {
  readonly id: string
}
type Row = Found & HomeRules

/**
 * Computes when records return to the pool, and stores only that (DOMAIN 1.2.4).
 * Call it after every change of owner, follow-up, level, deal, lock, stage or status; of an own record after every change.
 *
 * @returns the expiry of each record by id; null for those that never return
 */
export async function refreshExpiry(
  entity: PoolName,
  ids: readonly string[],
  { trx, tenantId }: Place,
): Promise<ReadonlyMap<string, Expiry | null>> {
  if (ids.length === 0) return new Map()
  const place = { trx, tenantId }
  const found = await (isOwnPool(entity)
    ? ownExpiries(entity, ids, place)
    : salesExpiries(entity, ids, place))
  const known = [...found.keys()]
  const expiries = known.map((id) => found.get(id)?.at ?? null)
  await sql`update ${pooledTable(entity)} r set expire_at = given.at
    from unnest(${known}::text[], ${expiries}::timestamptz[]) as given(id, at)
    where r.tenant_id = ${tenantId} and ${isPooledRow(entity)} and r.id = given.id and r.expire_at is distinct from given.at`.execute(
    trx,
  )
  return found
}

/** {@link refreshExpiry} for the source of a conversion: a converted record of an own module stays with its owner. */
export async function refreshConverted(
  of: Json | undefined,
  { trx, caller, model }: CallContext,
): Promise<void> {
  const from = isObject(of) ? model.modules.get(String(of.module)) : undefined
  if (!isObject(of) || from?.origin !== 'tenant' || !from.behaviours.includes('pool')) return
  await refreshExpiry(ownRights(from.name), [String(of.id)], { trx, tenantId: caller.tenantId })
}

type Expiries = ReadonlyMap<string, Expiry | null>

async function salesExpiries(
  entity: PoolEntity,
  ids: readonly string[],
  { trx, tenantId }: Place,
): Promise<Expiries> {
  const { rows } = await sql<Row>`
    select r.id, r.last_follow_at, ${holdingFacts(entity)}
    from ${sql.table(entity)} r left join lateral (${homePoolOf(entity, tenantId)}) home on true
    where r.tenant_id = ${tenantId} and r.id = any(${[...ids]}::text[])`.execute(trx)
  return new Map(rows.map((row) => [row.id, expiryOfFacts(entity, row)]))
}

/** No record returns if its module has no pools any more, or if all rules are off. */
async function ownExpiries(entity: OwnRights, ids: readonly string[], place: Place): Promise<Expiries> {
  const none: Expiries = new Map(ids.map((id) => [id, null]))
  const home = await homePool(entity, place)
  if (home === null || hasNoRules(home.settings)) return none
  const module = await readOwn(entity, place)
  if (module === null || !module.behaviours.includes('pool')) return none
  const by = ownReturn(module)
  const rules = applicableRules(home.settings, by)
  const { trx, tenantId } = place
  const { rows } = await sql<Found>`select r.id, ${ownFacts(entity, by, home.settings)}
    from record r where r.tenant_id = ${tenantId} and ${isPooledRow(entity)} and r.id = any(${[...ids]}::text[])`.execute(
    trx,
  )
  return new Map(rows.map((row) => [row.id, expiryOf(entity, row, rules, home.grace_until)]))
}
