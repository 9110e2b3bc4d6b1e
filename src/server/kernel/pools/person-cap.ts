import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'
import { ENTITY_TEXT, type PoolEntity } from '../asking/entities.ts'
import type { Trx } from '../db/database.ts'
import { holderColumns, type NewHolder } from '../records/new-holder.ts'
import type { Columns } from '../records/write-row.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { expiryOf } from './expiry.ts'
import { homePool } from './pool.ts'
import type { PoolSettings } from './settings.ts'

/**
 * Takes the lock of people who are about to get records, in one order: whoever asks for the same person waits until
 * this transaction ends. Take it before any record is held.
 */
export async function lockPeople(trx: Trx, tenantId: string, userIds: readonly string[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort()) {
    const key = `holding/${tenantId}/${userId}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
  }
}

/**
 * Before a record is made for somebody: they are locked and have room for it. A pool always has.
 * @returns columns that say who holds the record, and until when
 */
export async function holdForNew(
  entity: PoolEntity,
  holder: NewHolder,
  level: unknown,
  asking: Asking,
): Promise<Columns> {
  const held = holderColumns(holder, asking)
  if (holder.userId === null) return held
  const { trx, caller, now } = asking
  await lockPeople(trx, caller.tenantId, [holder.userId])
  const pool = await homePool(entity, { trx, tenantId: caller.tenantId })
  if (pool === null) return held
  await checkHoldingCap(entity, holder.userId, 1, asking, pool.settings)
  const expiry = expiryOf(
    entity,
    {
      owner_id: holder.userId,
      owner_since: now,
      obtain_way: holder.way,
      level: typeof level === 'string' ? level : null,
      last_follow_at: null,
      is_locked: false,
      is_done: false,
      has_open_bussiness: false,
      stage_since: entity === 'bussiness' ? now : null,
    },
    pool.settings,
    pool.grace_until,
  )
  return { ...held, expire_at: expiry?.at ?? null }
}

/** Records that count against the cap: deals, converted leads and closed opportunities do not (DOMAIN 1.2.1). */
const COUNTED: Readonly<Record<PoolEntity, RawBuilder<boolean>>> = {
  customer: sql<boolean>`deal_status = 0`,
  lead: sql<boolean>`status not in (40, 50)`,
  bussiness: sql<boolean>`status = 1`,
}

/** How many records count against a person's cap, and the cap: his own, his department's, the pool's; 0 is none. */
export async function holdingOf(
  entity: PoolEntity,
  userId: string,
  settings: PoolSettings,
  { trx, caller }: Asking,
): Promise<{ readonly n: number; readonly cap: number }> {
  const { rows } = await sql<{ n: number; dept_id: string | null }>`select m.dept_id,
      (select count(*) from ${sql.table(entity)} where tenant_id = ${caller.tenantId} and owner_id = ${userId}
        and deleted_at is null and ${COUNTED[entity]}) as n
    from membership m where m.tenant_id = ${caller.tenantId} and m.user_id = ${userId}`.execute(trx)
  const { n = 0, dept_id = null } = rows[0] ?? {}
  const cap =
    settings.holding_cap_by_user[userId] ??
    settings.holding_cap_by_dept[dept_id ?? ''] ??
    settings.holding_cap
  return { n, cap }
}

/**
 * Refuses with 422 when `more` records are more than a person may hold. The person is locked ({@link lockPeople}).
 * @param settings  of the pool they come from; without it those of the tenant's default pool
 */
export async function checkHoldingCap(
  entity: PoolEntity,
  userId: string,
  more: number,
  asking: Asking,
  settings?: PoolSettings,
): Promise<void> {
  const { trx, caller } = asking
  const rules = settings ?? (await homePool(entity, { trx, tenantId: caller.tenantId }))?.settings
  if (rules === undefined) return
  const { n, cap } = await holdingOf(entity, userId, rules, asking)
  if (cap === 0 || n + more <= cap) return
  const what = text(ENTITY_TEXT[entity])
  const mine = userId === caller.userId
  refuse(422, 'HOLDING_CAP', text(mine ? 'pool.holding-cap' : 'pool.holding-cap-other', { what, cap }), {
    data: { n, cap, userId },
  })
}
