import { sql } from 'kysely'
import type { FollowRow } from '../../../contract/follow.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { asColleagues } from '../../kernel/context/colleagues.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { announce } from '../../kernel/records/announce.ts'
import { text } from '../../kernel/text/text.ts'
import { isFollowSeen } from './list-spec.ts'

/**
 * Notifies the author of a follow-up or comment of a colleague's like or comment (DOMAIN 5), never of their own.
 * @param once  one notification per key
 */
export async function notifyAuthor(
  event: 'follow.comment' | 'follow.like' | 'follow.reply',
  { id, author_id }: Pick<FollowRow, 'id' | 'author_id'>,
  { content, once }: { readonly content: string; readonly once?: string },
  ctx: CallContext,
): Promise<void> {
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
  if (ids.length === 0) return
  const { trx, caller } = ctx
  const readers = (await asColleagues(ids, ctx)).filter((it) => it.caller.permissions.has('follow:view'))
  const seeing = readers.map(
    (reader) => sql`select ${reader.caller.userId}::text from follow f where ${isFollowSeen(reader, 'f')}
      and f.id = ${followId}`,
  )
  const who = seeing.length === 0 ? sql`select null::text` : sql.join(seeing, sql` union all `)
  const { rows } = await sql<{ name: string }>`select m.name from membership m
    where m.tenant_id = ${caller.tenantId} and m.user_id = any(${[...ids]}::text[]) and m.deleted_at is null
      and not exists (select 1 from (${who}) as seen (user_id) where seen.user_id = m.user_id)
    order by m.py, m.user_id`.execute(trx)
  const names = rows.map(({ name }) => name).join('、')
  if (names !== '') refuseFaults({ mention_ids: text('follow.mention-unseen', { names }) })
}
