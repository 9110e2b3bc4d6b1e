import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { MESSAGE_CATEGORIES, type UnreadCount } from '../../../contract/message.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import { idsOf } from '../../kernel/records/batch.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isMine } from './message-row.ts'
import { unreadCount } from './unread.ts'

/**
 * Marks messages as read: those named, those of a category, or all. Repeating it changes nothing.
 *
 * @param body  `ids` ≤ 200, or `category`, or `all: true`
 */
export async function readMessages(body: JsonObject, ctx: CallContext): Promise<UnreadCount> {
  const { trx, caller, now } = ctx
  await sql`update message g set read_at = ${now} where ${isMine(ctx)} and g.read_at is null
    and ${chosen(body)}`.execute(trx)
  await notifyPeople(trx, caller.tenantId, [caller.userId], { kind: 'unread' })
  return unreadCount(ctx)
}

/** Deletes messages of the caller; they are not sent again. @param body `ids` ≤ 200 */
export async function deleteMessages(body: JsonObject, ctx: CallContext): Promise<UnreadCount> {
  const { trx, caller, now } = ctx
  await sql`update message g set deleted_at = ${now} where ${isMine(ctx)}
    and g.id = any(${[...idsOf(body)]}::text[])`.execute(trx)
  await notifyPeople(trx, caller.tenantId, [caller.userId], { kind: 'unread' })
  return unreadCount(ctx)
}

function chosen(body: JsonObject) {
  if (body.all === true) return sql<boolean>`true`
  const category = MESSAGE_CATEGORIES.find((it) => it === body.category)
  if (category !== undefined) return sql<boolean>`g.category = ${category}`
  if (body.category !== undefined) refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'category' })
  return sql<boolean>`g.id = any(${[...idsOf(body)]}::text[])`
}
