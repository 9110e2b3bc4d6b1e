import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { checkDescribed } from '../../kernel/records/described.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import type { FollowTarget } from './tables.ts'
import { isOwnTarget, refuseForeignContacts, refuseTarget, resolveTarget } from './target.ts'

const PHONE = /^\+?[\d-]{3,29}$/
const CALL: readonly Field[] = [
  {
    name: 'targetType',
    kind: 'text',
    pattern: '^(?:customer|lead|bussiness|contract|contact)$',
    label: text('follow.field.target_type'),
    required: true,
  },
  { name: 'targetId', kind: 'ref', label: text('follow.field.target_id'), required: true },
  { name: 'contactId', kind: 'ref', label: text('follow.field.contact_ids') },
  {
    name: 'phone',
    kind: 'text',
    pattern: PHONE.source,
    label: text('customer.field.mobile'),
    required: true,
  },
]

/** Time after a call within which it can be logged, in milliseconds. */
const LOGGED_WITHIN_MS = 2 * 3_600_000

/** A stored call. */
interface Call {
  readonly target_type: FollowTarget
  readonly target_id: string
  readonly contact_id: string | null
  readonly phone: string
  readonly started_at: Date
  readonly follow_id: string | null
}

/**
 * POST /mini/follow/call-start: records that the caller starts a phone call (DOMAIN 8.5).
 * @param body  `targetType`, `targetId`, `contactId?`, `phone`
 */
export async function startCall(
  { clientToken: _, ...body }: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { values, faults } = await checkDescribed(body, CALL, ctx)
  refuseFaults(faults)
  const { targetType, targetId, contactId, phone } = values as Record<string, string>
  const type = targetType as FollowTarget
  const target = await resolveTarget(type, targetId ?? '', ctx)
  if (target.owner_id === null) await refuseTarget(target, 'follow:call', ctx)
  if (contactId) await refuseForeignContacts([contactId], target, ctx)
  const callId = await addCall(
    {
      target_type: type,
      target_id: targetId ?? '',
      contact_id: contactId ?? null,
      phone: phone ?? '',
      started_at: ctx.now,
      follow_id: null,
    },
    ctx,
  )
  return { data: { callId }, recordId: callId, detail: { targetType: type, targetId: targetId ?? '' } }
}

/**
 * Links a follow-up that logs a call with that call: the named one, else the author's last call of that number for that record. A call that never
 * reached the server (no network) is recorded now, so that there are never more logs than calls.
 */
export async function linkCall(
  {
    id,
    call,
    at,
    ...target
  }: Pick<Call, 'target_type' | 'target_id'> & {
    readonly id: string
    readonly call: unknown
    readonly at: Date
  },
  ctx: CallContext,
): Promise<void> {
  // Calls are counted for standard records, not for those of own modules.
  if (!isObject(call) || isOwnTarget(target.target_type)) return
  const { trx, caller } = ctx
  const phone = typeof call.phone === 'string' ? call.phone : ''
  const named = typeof call.callId === 'string' ? call.callId : ''
  const { rows } = await sql<{ id: string; follow_id: string | null }>`select id, follow_id from phone_call
    where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and target_type = ${target.target_type}
      and target_id = ${target.target_id} and (id = ${named} or (follow_id is null and phone = ${phone}
        and started_at between ${new Date(at.getTime() - LOGGED_WITHIN_MS)} and ${new Date(at.getTime() + LOGGED_WITHIN_MS)}))
    order by id = ${named} desc, started_at desc limit 1 for update`.execute(trx)
  const [known] = rows
  if (known === undefined) {
    if (PHONE.test(phone))
      await addCall({ ...target, contact_id: null, phone, started_at: at, follow_id: id }, ctx)
  } else if (known.follow_id === null)
    await sql`update phone_call set follow_id = ${id} where tenant_id = ${caller.tenantId} and id = ${known.id}`.execute(
      trx,
    )
}

async function addCall(call: Call, { trx, caller, now }: CallContext): Promise<string> {
  const id = newId(now.getTime())
  await trx
    .insertInto('phone_call')
    .values({ ...call, tenant_id: caller.tenantId, id, user_id: caller.userId })
    .execute()
  return id
}

/** The number of calls somebody made in a span, and how many of them they logged. */
export async function callsOf(
  userId: string,
  [from, to]: readonly [Date, Date],
  { trx, caller }: CallContext,
): Promise<{ readonly calls: number; readonly logged: number }> {
  const { rows } = await sql<{
    calls: number
    logged: number
  }>`select count(*) as calls, count(follow_id) as logged
    from phone_call where tenant_id = ${caller.tenantId} and user_id = ${userId}
      and started_at >= ${from} and started_at < ${to}`.execute(trx)
  return rows[0] ?? { calls: 0, logged: 0 }
}
