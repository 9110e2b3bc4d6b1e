import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { isObject, sameJson } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { ownReturn } from '../../kernel/pools/own-return.ts'
import { isPoolAdmin, type Pool } from '../../kernel/pools/pool.ts'
import { isOwnPool, moduleOf, pooledLabel } from '../../kernel/pools/pooled.ts'
import {
  type PoolSettings,
  poolDefaults,
  poolSettingsOf,
  RECYCLE_RULES,
  settingFaults,
} from '../../kernel/pools/settings.ts'
import { noPermission } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

const DAY_MS = 86_400_000

/** GET /mini/pool/setting: the settings of a pool, for its administrators. */
export async function readPoolSetting(id: string, ctx: CallContext): Promise<JsonObject> {
  const pool = await adminPool(id, ctx)
  return {
    id: pool.id,
    name: pool.name,
    entity: pool.entity,
    settings: pool.settings as unknown as Json,
    defaults: poolDefaults(pool.entity) as unknown as Json,
    graceUntil: pool.grace_until === null ? null : dateTimeText(pool.grace_until, ctx.zone),
  }
}

/**
 * POST /mini/pool/setting: changes settings; `null` restores the default. If a recycling rule changes, every record gets at least `remind_days` from
 * now, and the job recomputes all expiries (DOMAIN 1.2.3).
 */
export async function savePoolSetting(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const pool = await adminPool(String(body.id ?? ''), ctx, true)
  const given = isObject(body.settings) ? body.settings : {}
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const faults = [
    ...settingFaults(pool.entity, changes),
    ...Object.keys(given).filter((name) => !Object.hasOwn(poolDefaults(pool.entity), name)),
  ]
  if (faults.length > 0) {
    const fields = Object.fromEntries(faults.map((name) => [`settings.${name}`, text('pool.setting')]))
    refuse(400, 'VALIDATION', text('pool.setting'), { fields })
  }
  const before = pool.settings
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...given }).filter(([, value]) => value !== null),
  )
  const after = poolSettingsOf(pool.entity, merged)
  refuseUnjudged(pool, after, ctx)
  const isStricter = RECYCLE_RULES.some((name) => !sameJson(before[name] as Json, after[name] as Json))
  const graceUntil = isStricter ? new Date(now.getTime() + after.remind_days * DAY_MS) : pool.grace_until
  await sql`update pool set settings = ${json(after as unknown as Json)}, grace_until = ${graceUntil},
      rules_changed_at = ${isStricter ? now : pool.rules_changed_at}, updated_by = ${caller.userId},
      updated_at = ${now}, version = version + 1
    where tenant_id = ${caller.tenantId} and id = ${pool.id}`.execute(trx)
  return {
    data: await readPoolSetting(pool.id, ctx),
    recordId: pool.id,
    detail: { before: before as unknown as Json, after: after as unknown as Json },
  }
}

/** Refuses rules that say nothing of the records of an own module; what stands there already may stay, and does nothing. */
function refuseUnjudged({ entity, settings: before }: Pool, after: PoolSettings, ctx: CallContext): void {
  if (!isOwnPool(entity)) return
  const module = ctx.model.modules.get(moduleOf(entity))
  if (module === undefined) return
  const label = pooledLabel(entity, ctx)
  const { isFollowed, canBeDone, status, ends, others } = ownReturn(module)
  const isNew = (name: 'recycle_no_first_follow_days' | 'recycle_no_deal_days') =>
    after[name] > 0 && after[name] !== before[name]
  const refuseRule = (name: keyof PoolSettings, reason: string) =>
    refuse(400, 'VALIDATION', reason, { fields: { [`settings.${name}`]: reason } })
  if (isNew('recycle_no_first_follow_days') && !isFollowed)
    refuseRule('recycle_no_first_follow_days', text('pool.rule-follow', { what: label }))
  if (isNew('recycle_no_deal_days') && !canBeDone)
    refuseRule('recycle_no_deal_days', text('pool.rule-done', { what: label }))
  const known = new Set([...ends, ...others.map(({ value }) => value), ...(before.exempt_statuses ?? [])])
  const stranger = (after.exempt_statuses ?? []).find((one) => status === null || !known.has(one))
  if (stranger !== undefined)
    refuseRule('exempt_statuses', text('pool.rule-status', { what: label, status: stranger }))
}

/** A pool that the caller administers: 404 if the tenant has no such pool, 405 if they do not. */
async function adminPool(id: string, ctx: CallContext, lock = false): Promise<Pool> {
  const { trx, caller } = ctx
  const { rows } = await sql<Omit<Pool, 'settings'> & { settings: unknown }>`select * from pool
    where tenant_id = ${caller.tenantId} and id = ${id} and deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(trx)
  const [row] = rows
  if (row === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const pool = { ...row, settings: poolSettingsOf(row.entity, row.settings) }
  if (!isPoolAdmin(pool, ctx)) noPermission('system:pool')
  return pool
}
