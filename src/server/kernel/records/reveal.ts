import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { fieldRight } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import type { SalesEntity } from '../context/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { instantOf, startOfDay, wallTimeOf } from '../time/zone.ts'
import { findRecord } from './find-record.ts'
import type { WriteResult } from './write-once.ts'

/** Values that a person may reveal per day (DOMAIN 8.7). */
const MAX_REVEAL = 50
const DAY_MS = 86_400_000

/**
 * One masked value in full, for somebody whose role masks the field; the access is recorded (DOMAIN 2.3).
 * What a pool masks stays masked until it is claimed.
 *
 * @throws Refusal 405 in a pool or for a hidden field, 429 beyond the daily number
 */
export async function reveal(
  entity: SalesEntity,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller, now, zone } = ctx
  const field = String(body.field ?? '')
  const found = await findRecord(entity, String(body.id ?? ''), ctx)
  if (found.owner_id === null) refuse(405, 'NO_PERMISSION', text('customer.masked'), { detail: field })
  if (fieldRight(caller, entity, field) !== 'masked')
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: field })
  const key = `reveal/${caller.tenantId}/${caller.userId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
  const dayStart = instantOf(startOfDay(wallTimeOf(now, zone)), zone)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from audit_log where tenant_id = ${caller.tenantId}
    and user_id = ${caller.userId} and action = 'customer:reveal' and detail ->> 'day' = ${dayStart.toISOString()}`.execute(
    trx,
  )
  if ((rows[0]?.n ?? 0) >= MAX_REVEAL) {
    const retryAfter = Math.ceil((dayStart.getTime() + DAY_MS - now.getTime()) / 1000)
    refuse(429, 'RATE_LIMIT', text('record.reveal', { most: MAX_REVEAL }), { data: { retryAfter } })
  }
  return {
    data: { field, value: (found[field] ?? null) as Json },
    recordId: found.id,
    detail: { field, day: dayStart.toISOString() },
  }
}
