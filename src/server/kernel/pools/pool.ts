import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import type { PoolName } from '../context/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { poolsOf } from '../visibility/predicate.ts'
import type { Place } from './own-return.ts'
import { poolRight } from './pooled.ts'
import { type PoolSettings, poolSettingsOf } from './settings.ts'

/** A pool with its settings completed by the defaults. */
export interface Pool {
  readonly id: string
  readonly name: string
  readonly entity: PoolName
  readonly enabled: boolean
  readonly is_default: boolean
  readonly admin_user_ids: readonly string[]
  readonly grace_until: Date | null
  readonly rules_changed_at: Date | null
  readonly settings: PoolSettings
}

const COLUMNS = sql`p.id, p.name, p.entity, p.enabled, p.is_default, p.admin_user_ids, p.grace_until,
  p.rules_changed_at, p.settings`

interface Stored extends Omit<Pool, 'settings'> {
  readonly settings: unknown
}

function poolFrom(row: Stored): Pool {
  return { ...row, settings: poolSettingsOf(row.entity, row.settings) }
}

/** {@link homePool} as a subquery. */
export const homePoolOf = (entity: PoolName, tenantId: string) =>
  sql<Stored>`select ${COLUMNS} from pool p
    where p.tenant_id = ${tenantId} and p.entity = ${entity} and p.enabled and p.deleted_at is null
    order by p.is_default desc, p.created_at, p.id limit 1`

/** The rules selected by a query that joins the pool as `home`; without a pool, no rules. */
export interface HomeRules {
  readonly home_pool: string | null
  readonly settings: unknown
  readonly grace_until: Date | null
}

export const HOME_RULES = sql`home.id as home_pool, home.settings, home.grace_until`

/** The pool whose rules apply to owned records of a tenant, and to which they return; null if the tenant has none. */
export async function homePool(entity: PoolName, { trx, tenantId }: Place): Promise<Pool | null> {
  const { rows } = await homePoolOf(entity, tenantId).execute(trx)
  return rows[0] === undefined ? null : poolFrom(rows[0])
}

/** A pool that the caller belongs to; 405 otherwise (DOMAIN 1.2.2, first check). */
export async function memberPool(
  entity: PoolName,
  poolId: unknown,
  { trx, caller }: CallContext,
): Promise<Pool> {
  const { rows } = await sql<Stored>`select ${COLUMNS} from pool p where p.tenant_id = ${caller.tenantId}
    and p.id = ${typeof poolId === 'string' ? poolId : ''} and p.id in (${poolsOf(caller, entity)})`.execute(
    trx,
  )
  if (rows[0] === undefined)
    refuse(405, 'NO_PERMISSION', text('pool.not-member'), { detail: poolRight(entity, 'view') })
  return poolFrom(rows[0])
}

/** The pools of an entity that the caller belongs to, the default pool first. */
export async function memberPools(entity: PoolName, { trx, caller }: CallContext): Promise<readonly Pool[]> {
  const { rows } = await sql<Stored>`select ${COLUMNS} from pool p where p.tenant_id = ${caller.tenantId}
    and p.id in (${poolsOf(caller, entity)}) order by p.is_default desc, p.created_at, p.id`.execute(trx)
  return rows.map(poolFrom)
}

/** An enabled pool that can receive records; 404 if the tenant has none. */
export async function targetPool(entity: PoolName, poolId: unknown, ctx: CallContext): Promise<Pool> {
  const { trx, caller } = ctx
  const home = await homePool(entity, { trx, tenantId: caller.tenantId })
  if (poolId === undefined || poolId === null || poolId === '' || poolId === home?.id)
    return home ?? refuse(404, 'NOT_FOUND', text('pool.none'))
  if (home !== null && !home.settings.manual_pool_choice) refuse(405, 'NO_PERMISSION', text('pool.no-choice'))
  const { rows } = await sql<Stored>`select ${COLUMNS} from pool p where p.tenant_id = ${caller.tenantId}
    and p.entity = ${entity} and p.enabled and p.deleted_at is null and p.id = ${String(poolId)}`.execute(trx)
  return rows[0] === undefined ? refuse(404, 'NOT_FOUND', text('pool.none')) : poolFrom(rows[0])
}

/** True for administrators of the pool: named in it, or with the permission to manage pools. */
export function isPoolAdmin(pool: Pool, { caller }: CallContext): boolean {
  return pool.admin_user_ids.includes(caller.userId) || caller.permissions.has('system:pool')
}
