import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { MESSAGE_CATEGORIES, type MessageCategory, type MessageSetting } from '../../../contract/message.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { EVENT_RULES, isMessageEvent, isSubscribed, type MessageEvent } from '../../kernel/notices/events.ts'
import { type QuietHours, shownAt } from '../../kernel/notices/quiet.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { isTextCode, text } from '../../kernel/text/text.ts'

interface Stored extends QuietHours {
  readonly switched: readonly string[]
  /** Groups that are not pushed to devices. */
  readonly push_off: readonly MessageCategory[]
}

const UNSET: Stored = { switched: [], push_off: [], quiet: true, quiet_from: '21:00', quiet_to: '08:00' }
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** The caller's notification settings. */
export async function messageSetting(ctx: CallContext): Promise<MessageSetting> {
  const stored = await storedSetting(ctx)
  const events = (Object.keys(EVENT_RULES) as MessageEvent[]).map((event) => {
    const { category, fixed } = EVENT_RULES[event]
    const label = `message.${event}.label`
    return {
      event,
      label: isTextCode(label) ? text(label) : event,
      category: category === 'entity' ? ('customer' as const) : category,
      on: isSubscribed(event, stored.switched),
      fixed: fixed === true,
    }
  })
  const push = MESSAGE_CATEGORIES.map((category) => ({
    category,
    label: text(`message.category.${category}`),
    on: !stored.push_off.includes(category),
  }))
  return { quiet: stored.quiet, quietFrom: stored.quiet_from, quietTo: stored.quiet_to, events, push }
}

/**
 * Changes the given settings, keeps the others. Messages that wait for the end of quiet hours follow the changed hours.
 *
 * @param body  `quiet`, `quietFrom`, `quietTo`, `events: { "<event>": on }`, or one event as `event` and `on`, or one group of pushes as
 * `push` and `on`
 *
 * @throws Refusal 400 for an unknown event, one that cannot be switched off, or an invalid time
 */
export async function saveMessageSetting(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const before = await storedSetting(ctx)
  const quiet = body.quiet ?? before.quiet
  const from = body.quietFrom ?? before.quiet_from
  const to = body.quietTo ?? before.quiet_to
  if (typeof quiet !== 'boolean' || !isTime(from) || !isTime(to))
    refuse(400, 'VALIDATION', text('message.quiet-time'), { detail: 'quiet, quietFrom, quietTo' })
  const switched = switchedAfter(before.switched, eventsOf(body))
  const pushOff = pushOffAfter(before.push_off, body)
  await sql`insert into message_setting (tenant_id, user_id, switched, push_off, quiet, quiet_from, quiet_to, updated_at)
    values (${caller.tenantId}, ${caller.userId}, ${[...switched]}::text[], ${[...pushOff]}::text[], ${quiet}, ${from}, ${to}, ${now})
    on conflict (tenant_id, user_id) do update set switched = excluded.switched, push_off = excluded.push_off, quiet = excluded.quiet,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, updated_at = excluded.updated_at`.execute(
    trx,
  )
  const held = shownAt({ quiet, quiet_from: from, quiet_to: to }, now, ctx.zone)
  await sql`update message set shown_at = ${held}
    where tenant_id = ${caller.tenantId} and receiver_id = ${caller.userId} and not is_told and shown_at > ${now}`.execute(
    trx,
  )
  return { data: (await messageSetting(ctx)) as unknown as Json, recordId: caller.userId }
}

function eventsOf({ events, event, on = null }: JsonObject): Json | undefined {
  return typeof event === 'string' ? { [event]: on } : events
}

function switchedAfter(before: readonly string[], events: Json | undefined): readonly string[] {
  if (events === undefined || events === null) return before
  if (!isObject(events)) refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'events' })
  const next = new Set(before)
  for (const [event, on] of Object.entries(events)) {
    if (!isMessageEvent(event) || typeof on !== 'boolean')
      refuse(400, 'VALIDATION', text('call.invalid'), { detail: `events.${event}` })
    const { fixed, off } = EVENT_RULES[event]
    if (fixed && !on) refuse(400, 'VALIDATION', text('message.fixed'), { detail: event })
    if (on === (off !== true)) next.delete(event)
    else next.add(event)
  }
  return [...next].sort()
}

function pushOffAfter(
  before: readonly MessageCategory[],
  { push, on }: JsonObject,
): readonly MessageCategory[] {
  if (push === undefined) return before
  const category = MESSAGE_CATEGORIES.find((one) => one === push)
  if (category === undefined || typeof on !== 'boolean')
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'push, on' })
  const others = before.filter((one) => one !== category)
  return on ? others : [...others, category].sort()
}

function isTime(value: Json): value is string {
  return typeof value === 'string' && TIME.test(value)
}

async function storedSetting({ trx, caller }: CallContext): Promise<Stored> {
  const { rows } =
    await sql<Stored>`select switched, push_off, quiet, quiet_from, quiet_to from message_setting
    where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}`.execute(trx)
  return rows[0] ?? UNSET
}
