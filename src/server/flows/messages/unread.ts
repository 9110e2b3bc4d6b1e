import { sql } from 'kysely'
import { MESSAGE_CATEGORIES, type MessageCategory, type UnreadCount } from '../../../contract/message.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { linkTo } from '../../kernel/notices/links.ts'
import { countDue } from '../../modules/todos/count.ts'
import { isMine } from './message-row.ts'

/** The caller's unread messages, in total and per category, and counts of what waits on pages. */
export async function unreadCount(ctx: CallContext): Promise<UnreadCount> {
  const { rows } = await sql<{
    category: MessageCategory
    n: number
  }>`select g.category, count(*) as n from message g
    where ${isMine(ctx)} and g.read_at is null group by g.category`.execute(ctx.trx)
  const found = new Map(rows.map((row) => [row.category, row.n]))
  const total = rows.reduce((sum, row) => sum + row.n, 0)
  const byCategory = Object.fromEntries(MESSAGE_CATEGORIES.map((it) => [it, found.get(it) ?? 0]))
  return {
    total,
    byCategory: byCategory as Record<MessageCategory, number>,
    pages: {
      [linkTo('notice', []).route]: total,
      [linkTo('todo', []).route]: await countDue(ctx),
    },
  }
}
