import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolName } from '../../kernel/context/entities.ts'
import { checkHoldingCap, holdingOf, lockPeople } from '../../kernel/pools/person-cap.ts'
import { memberPool, memberPools, type Pool } from '../../kernel/pools/pool.ts'
import { isPooledRow, pooledName, pooledTable } from '../../kernel/pools/pooled.ts'
import { idsOf } from '../../kernel/records/batch.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText, instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { takeFromPool } from './take.ts'

const MAX_CLAIM = 20
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Failed {
  readonly id: string
  readonly name: string
  readonly code: number
  readonly type: string
  readonly message: string
}

/**
 * The caller claims records from a pool (DOMAIN 1.2.2): member, daily quota, holding cap, cool-downs, then the single guarded
 * statement. Each record succeeds or fails independently; if a call for a single record fails, the call is refused.
 *
 * @throws Refusal 400 no pool named, 405 not a member, 422 CLAIM_DAILY_LIMIT, HOLDING_CAP, CLAIM_COOLDOWN, 409 ALREADY_CLAIMED, 404
 */
export async function claim(
  entity: PoolName,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const ids = idsOf(body, MAX_CLAIM)
  if (body.poolId === undefined || body.poolId === null || body.poolId === '')
    await refuseUnnamed(entity, ctx)
  const pool = await memberPool(entity, body.poolId, ctx)
  await lockPeople(trx, caller.tenantId, [caller.userId])
  await checkDailyLimit(entity, ids.length, pool, ctx)
  await checkHoldingCap(entity, caller.userId, ids.length, ctx, pool.settings)
  const cooling = await coolingOf(entity, ids, pool, ctx)
  const open = ids.filter((id) => !cooling.has(id))
  const takenIds = await takeFromPool(
    entity,
    open,
    { userId: caller.userId, poolIds: [pool.id], kind: 'claim' },
    ctx,
  )
  const got = new Set(takenIds.map((it) => it.id))
  const missed = await missedOf(
    entity,
    open.filter((id) => !got.has(id)),
    ctx,
  )
  const failed = [...cooling.values(), ...missed]
  const [only] = failed
  if (ids.length === 1 && only !== undefined)
    refuse(only.code as 409, only.type as 'ALREADY_CLAIMED', only.message, {
      data: { failed: [only] } as unknown as Json,
    })
  const quota = await claimQuota(entity, pool, ctx)
  const data = { ok: takenIds.map((it) => it.id), failed, ...quota }
  const [first] = ids
  return {
    data: data as unknown as Json,
    detail: { poolId: pool.id, ok: data.ok },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}

/** @throws Refusal 400 with the caller's pools; nothing if there are none */
async function refuseUnnamed(entity: PoolName, ctx: CallContext): Promise<void> {
  const pools = (await memberPools(entity, ctx)).map(({ id, name }) => text('pool.named', { name, id }))
  if (pools.length === 0) return
  const sentence = text('pool.unnamed', { pools: pools.join('、') })
  refuse(400, 'VALIDATION', sentence, { fields: { poolId: sentence } })
}

/** "今日可领 7/10 · 持有 163/200": the caller's claims today and holdings, with the limits (0 is none). */
export async function claimQuota(entity: PoolName, pool: Pool, ctx: CallContext) {
  const claimed = await claimedToday(entity, ctx)
  const { n, cap } = await holdingOf(entity, ctx.caller.userId, pool.settings, ctx)
  return { quota: { claimed, limit: pool.settings.daily_claim_limit }, holding: { n, cap } }
}

async function checkDailyLimit(entity: PoolName, more: number, pool: Pool, ctx: CallContext): Promise<void> {
  const limit = pool.settings.daily_claim_limit
  if (limit === 0) return
  const claimed = await claimedToday(entity, ctx)
  if (claimed + more <= limit) return
  const code = claimed >= limit ? 'pool.daily-limit' : 'pool.daily-limit-left'
  refuse(422, 'CLAIM_DAILY_LIMIT', text(code, { claimed, limit, left: limit - claimed, more }), {
    data: { claimed, limit },
  })
}

/** Counted from the append-only history: returning a record does not restore quota, a refused claim uses none. */
async function claimedToday(entity: PoolName, { trx, caller, now, zone }: CallContext): Promise<number> {
  const dayStart = instantOf(startOfDay(wallTimeOf(now, zone)), zone)
  const { rows } = await sql<{ n: number }>`select count(*) as n from owner_record
    where tenant_id = ${caller.tenantId} and to_user = ${caller.userId} and kind = 'claim' and at >= ${dayStart}
      and entity = ${entity}`.execute(trx)
  return rows[0]?.n ?? 0
}

/** Records of the pool that the caller may not claim yet, with the time from which they may. */
async function coolingOf(
  entity: PoolName,
  ids: readonly string[],
  pool: Pool,
  ctx: CallContext,
): Promise<ReadonlyMap<string, Failed>> {
  const until = await claimableAt(entity, ids, pool, ctx)
  const cooling = [...until].filter(([, { at }]) => at > ctx.now)
  return new Map(
    cooling.map(([id, { at, name }]) => [
      id,
      {
        id,
        name,
        code: 422,
        type: 'CLAIM_COOLDOWN',
        message: text('pool.cooldown', { at: dayAndTime(at, ctx.zone) }),
      },
    ]),
  )
}

/**
 * The time from which the caller may claim each record of a pool: some days after *any* of their ownerships ended, and some hours after it entered
 * the pool (DOMAIN 1.2.1).
 */
export async function claimableAt(
  entity: PoolName,
  ids: readonly string[],
  pool: Pool,
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, { readonly at: Date; readonly name: string }>> {
  const { rows } = await sql<{
    id: string
    name: string
    pool_entered_at: Date | null
    left_at: Date | null
  }>`
    select r.id, ${pooledName(entity)} as name, r.pool_entered_at, (select max(o.at) from owner_record o
      where o.tenant_id = r.tenant_id and o.entity = ${entity} and o.record_id = r.id
        and o.from_user = ${caller.userId}) as left_at
    from ${pooledTable(entity)} r where r.tenant_id = ${caller.tenantId} and ${isPooledRow(entity)} and r.id = any(${[...ids]}::text[])
      and r.pool_id = ${pool.id} and r.deleted_at is null`.execute(trx)
  const { prev_owner_cooldown_days: days, new_data_cooldown_hours: hours } = pool.settings
  return new Map(
    rows.map((row) => {
      const mine = row.left_at === null || days === 0 ? 0 : row.left_at.getTime() + days * DAY_MS
      const fresh =
        row.pool_entered_at === null || hours === 0 ? 0 : row.pool_entered_at.getTime() + hours * HOUR_MS
      return [row.id, { at: new Date(Math.max(mine, fresh)), name: row.name }]
    }),
  )
}

/** "8月21日 09:00", with the year if it is another one; rounded up to the minute so that the claim is then possible. */
function dayAndTime(at: Date, zone: string): string {
  const written = dateTimeText(new Date(Math.ceil(at.getTime() / 60_000) * 60_000), zone)
  const [, month, day, time] = /^\d{4}-(\d\d)-(\d\d) (\d\d:\d\d)/.exec(written) ?? []
  return text('pool.day-time', { month: Number(month), day: Number(day), time: time ?? '' })
}

/** The winner's name, for records that were in a pool a moment ago; other records do not exist for the caller. */
async function missedOf(
  entity: PoolName,
  ids: readonly string[],
  { trx, caller, now }: CallContext,
): Promise<readonly Failed[]> {
  if (ids.length === 0) return []
  const lately = new Date(now.getTime() - DAY_MS)
  const { rows } = await sql<{ id: string; name: string; owner: string | null }>`
    select r.id, ${pooledName(entity)} as name, m.name as owner from ${pooledTable(entity)} r
    left join membership m on m.tenant_id = r.tenant_id and m.user_id = r.owner_id
    where r.tenant_id = ${caller.tenantId} and ${isPooledRow(entity)} and r.id = any(${[...ids]}::text[]) and r.owner_id is not null
      and exists (select 1 from owner_record o where o.tenant_id = r.tenant_id and o.entity = ${entity}
        and o.record_id = r.id and o.kind in ('claim', 'assign') and o.at >= ${lately})`.execute(trx)
  const won = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const winner = won.get(id)
    if (winner === undefined)
      return { id, name: '', code: 404, type: 'NOT_FOUND', message: text('call.not-found') }
    const message = text('pool.already-claimed', { name: winner.owner ?? '' })
    return { id, name: winner.name, code: 409, type: 'ALREADY_CLAIMED', message }
  })
}
