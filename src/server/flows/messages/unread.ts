import { sql } from 'kysely'
import { MESSAGE_CATEGORIES, type MessageCategory, type UnreadCount } from '../../../contract/message.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { isMine } from './message-row.ts'

/** How many messages the caller has not read, in all and per category. */
export async function unreadCount(asking: Asking): Promise<UnreadCount> {
  const { rows } = await sql<{
    category: MessageCategory
    n: number
  }>`select g.category, count(*) as n from message g
    where ${isMine(asking)} and g.read_at is null group by g.category`.execute(asking.trx)
  const found = new Map(rows.map((row) => [row.category, row.n]))
  const byCategory = Object.fromEntries(MESSAGE_CATEGORIES.map((it) => [it, found.get(it) ?? 0]))
  return {
    total: rows.reduce((sum, row) => sum + row.n, 0),
    byCategory: byCategory as Record<MessageCategory, number>,
  }
}
