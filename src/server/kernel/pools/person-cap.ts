import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity, PoolName } from '../context/entities.ts'
import type { Trx } from '../db/database.ts'
import { holderColumns, type NewHolder } from '../records/new-holder.ts'
import type { Columns } from '../records/write-row.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { expiryOf } from './expiry.ts'
import { HOME_RULES, type HomeRules, homePool, homePoolOf } from './pool.ts'
import { isOwnPool, isPooledRow, pooledLabel, pooledTable } from './pooled.ts'
import { type PoolSettings, poolSettingsOf } from './settings.ts'

/**
 * With at least this distance to the cap, records for a user may be created concurrently: never more are in progress than all servers have
 * sessions.
 */
const SAFE_DISTANCE = 32

/**
 * Locks the users who will receive records, in a fixed order: other transactions that need the same user wait until this one ends. Call it before
 * locking any record.
 */
export async function lockPeople(trx: Trx, tenantId: string, userIds: readonly string[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort()) {
    const key = `holding/${tenantId}/${userId}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
  }
}

/** A lock shared by transactions that create single records: they conflict with {@link lockPeople}, but not with each other. */
async function lockPersonShared(trx: Trx, tenantId: string, userId: string): Promise<void> {
  const key = `holding/${tenantId}/${userId}`
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(trx)
}

/** An exclusive lock near the cap: the last records below it are assigned one after the other. */
async function lockNearCap(trx: Trx, tenantId: string, userId: string): Promise<void> {
  const key = `holding-last/${tenantId}/${userId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}

/** The number of records that the receiver of a new record holds, and the rules by which it returns; undefined without a receiver. */
export type Headroom = (Held & HomeRules) | undefined

/**
 * Until this transaction ends, the receiver's holdings do not grow beyond the number read here, except by single records created concurrently. A
 * pool has no cap.
 */
export async function lockHeadroom(
  entity: PoolEntity,
  { userId, way }: NewHolder,
  ctx: CallContext,
): Promise<Headroom> {
  if (userId === null) return undefined
  const { trx, caller } = ctx
  // An import creates many of them in one transaction.
  if (way === 'imported') await lockPeople(trx, caller.tenantId, [userId])
  // Sent together: the second statement begins when the first has the lock, and sees the state at that time.
  const sharedLock = way === 'imported' ? undefined : lockPersonShared(trx, caller.tenantId, userId)
  const [found] = await Promise.all([readHeadroom(entity, userId, ctx), sharedLock])
  return found
}

async function readHeadroom(
  entity: PoolEntity,
  userId: string,
  { trx, caller }: CallContext,
): Promise<Headroom> {
  const { rows } = await sql<
    Held & HomeRules
  >`select held.*, ${HOME_RULES} from (${holdingQuery(entity, userId, caller)}) held
      left join (${homePoolOf(entity, caller.tenantId)}) home on true`.execute(trx)
  return rows[0]
}

/**
 * Called before a record is created for a receiver: ensures that they stay below their cap until this transaction ends. A pool has no cap.
 *
 * @param found  the result of {@link lockHeadroom}, if it was requested in advance
 * @returns columns with the owner or pool, and the expiry
 */
export async function holdForNew(
  entity: PoolEntity,
  holder: NewHolder,
  level: unknown,
  ctx: CallContext,
  found?: Headroom,
): Promise<Columns> {
  const columns = holderColumns(holder, ctx)
  if (holder.userId === null) return columns
  const { trx, caller, now } = ctx
  const { userId, way } = holder
  const headroom = found ?? (await lockHeadroom(entity, holder, ctx))
  if (headroom === undefined || headroom.home_pool === null) return columns
  const settings = poolSettingsOf(entity, headroom.settings)
  const cap = capOf(userId, headroom.dept_id, settings)
  const isNear = cap > 0 && headroom.n + SAFE_DISTANCE > cap
  if (isNear) await lockNearCap(trx, caller.tenantId, userId)
  const n = isNear ? ((await readHeadroom(entity, userId, ctx))?.n ?? headroom.n) : headroom.n
  refuseOverCap(entity, userId, { n, cap }, 1, ctx)
  const expiry = expiryOf(
    entity,
    {
      owner_id: userId,
      owner_since: now,
      obtain_way: way,
      level: typeof level === 'string' ? level : null,
      last_follow_at: null,
      is_locked: false,
      is_done: false,
      has_open_bussiness: false,
      // The stage of a new opportunity begins with its owner.
      stage_since: null,
    },
    settings,
    headroom.grace_until,
  )
  return { ...columns, expire_at: expiry?.at ?? null }
}

/** Records that count against the cap: deals, converted leads and closed opportunities do not (DOMAIN 1.2.1). */
const COUNTED: Readonly<Record<PoolEntity, RawBuilder<boolean>>> = {
  customer: sql<boolean>`deal_status = 0`,
  lead: sql<boolean>`status not in (40, 50)`,
  bussiness: sql<boolean>`status = 1`,
}

interface Held {
  /** Records that count. */
  readonly n: number
  readonly dept_id: string | null
}

/** The number of records that a user holds and that count; one row, even if the user does not exist. */
const holdingQuery = (entity: PoolName, userId: string, { tenantId }: Pick<Caller, 'tenantId'>) =>
  sql<Held>`select m.dept_id,
      (select count(*) from ${pooledTable(entity)} r where tenant_id = ${tenantId} and owner_id = ${userId}
        and deleted_at is null and ${isOwnPool(entity) ? isPooledRow(entity) : COUNTED[entity]}) as n
    from (select 1) one left join membership m on m.tenant_id = ${tenantId} and m.user_id = ${userId}`

/** A user's cap: their own, else their department's, else the pool's; 0 means no cap. */
const capOf = (userId: string, deptId: string | null, settings: PoolSettings): number =>
  settings.holding_cap_by_user[userId] ?? settings.holding_cap_by_dept[deptId ?? ''] ?? settings.holding_cap

/** The number of records that count against a user's cap, and the cap; 0 means no cap. */
export async function holdingOf(
  entity: PoolName,
  userId: string,
  settings: PoolSettings,
  { trx, caller }: CallContext,
): Promise<{ readonly n: number; readonly cap: number }> {
  const { rows } = await holdingQuery(entity, userId, caller).execute(trx)
  const { n = 0, dept_id = null } = rows[0] ?? {}
  return { n, cap: capOf(userId, dept_id, settings) }
}

/**
 * Refuses with 422 if `more` records exceed a user's cap. The user must be locked ({@link lockPeople}).
 *
 * @param settings  of the pool of the records; default: those of the tenant's default pool
 */
export async function checkHoldingCap(
  entity: PoolName,
  userId: string,
  more: number,
  ctx: CallContext,
  settings?: PoolSettings,
): Promise<void> {
  const { trx, caller } = ctx
  const rules = settings ?? (await homePool(entity, { trx, tenantId: caller.tenantId }))?.settings
  if (rules !== undefined)
    refuseOverCap(entity, userId, await holdingOf(entity, userId, rules, ctx), more, ctx)
}

function refuseOverCap(
  entity: PoolName,
  userId: string,
  { n, cap }: { readonly n: number; readonly cap: number },
  more: number,
  ctx: CallContext,
): void {
  if (cap === 0 || n + more <= cap) return
  const label = pooledLabel(entity, ctx)
  const mine = userId === ctx.caller.userId
  refuse(
    422,
    'HOLDING_CAP',
    text(mine ? 'pool.holding-cap' : 'pool.holding-cap-other', { what: label, cap }),
    {
      data: { n, cap, userId },
    },
  )
}
