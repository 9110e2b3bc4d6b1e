import { sql } from 'kysely'
import type { FollowRow } from '../../../contract/follow.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { asColleagues } from '../../kernel/context/colleagues.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { announce } from '../../kernel/records/announce.ts'
import { text } from '../../kernel/text/text.ts'
import { isFollowSeen } from './list-spec.ts'

/**
 * Notifies the author of a follow-up or comment of a colleague's like or comment (DOMAIN 5), never of their own, and not if they may not see it any more.
 * @param once  one notification per key
 */
export async function notifyAuthor(
  event: 'follow.comment' | 'follow.like' | 'follow.reply',
  { id, author_id }: Pick<FollowRow, 'id' | 'author_id'>,
  { content, once }: { readonly content: string; readonly once?: string },
  ctx: CallContext,
): Promise<void> {
  if (author_id === ctx.caller.userId || !(await readersOf([author_id], id, ctx)).has(author_id)) return
  const params = { by: ctx.caller.name, content: content.slice(0, 60) }
  const announcement = { event, to: author_id, entity: 'follow', ids: [id], params } as const
  await announce(once === undefined ? announcement : { ...announcement, once }, ctx)
}

/**
 * Notifies the colleagues mentioned in a follow-up or comment (DOMAIN 1.10), with its text.
 *
 * @throws Refusal 400 naming those who may not see the follow-up: they are told nothing, and its author learns of it
 */
export async function notifyMentioned(
  ids: readonly string[],
  follow: Pick<FollowRow, 'id'>,
  content: string,
  ctx: CallContext,
): Promise<void> {
  const others = [...new Set(ids)].filter((id) => id !== ctx.caller.userId)
  await refuseUnseeing(others, follow.id, ctx)
  const params = { by: ctx.caller.name, content: content.slice(0, 60) }
  for (const to of others)
    await announce({ event: 'follow.mention', to, entity: 'follow', ids: [follow.id], params }, ctx)
}

async function refuseUnseeing(ids: readonly string[], followId: string, ctx: CallContext): Promise<void> {
  const readers = await readersOf(ids, followId, ctx)
  const others = ids.filter((id) => !readers.has(id))
  if (others.length === 0) return
  const { rows } = await sql<{ name: string }>`select name from membership
    where tenant_id = ${ctx.caller.tenantId} and user_id = any(${others}::text[]) and deleted_at is null
    order by py, user_id`.execute(ctx.trx)
  const names = rows.map(({ name }) => name).join('、')
  if (names !== '') refuseFaults({ mention_ids: text('follow.mention-unseen', { names }) })
}

/** Those among some colleagues who may see a follow-up. */
async function readersOf(
  ids: readonly string[],
  followId: string,
  ctx: CallContext,
): Promise<ReadonlySet<string>> {
  const readers = (await asColleagues(ids, ctx)).filter((it) => it.caller.permissions.has('follow:view'))
  if (readers.length === 0) return new Set()
  const each = readers.map(
    (reader) => sql`select ${reader.caller.userId}::text as user_id from follow f
      where ${isFollowSeen(reader, 'f')} and f.id = ${followId}`,
  )
  const { rows } = await sql<{ user_id: string }>`${sql.join(each, sql` union all `)}`.execute(ctx.trx)
  return new Set(rows.map((row) => row.user_id))
}
