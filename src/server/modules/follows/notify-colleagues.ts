import type { FollowRow } from '../../../contract/follow.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { announce } from '../../kernel/records/announce.ts'

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

/** Notifies the colleagues mentioned in a follow-up or comment (DOMAIN 1.10), with its text, whether or not they see the record. */
export async function notifyMentioned(
  ids: readonly string[],
  follow: Pick<FollowRow, 'id'>,
  content: string,
  ctx: CallContext,
): Promise<void> {
  const params = { by: ctx.caller.name, content: content.slice(0, 60) }
  for (const to of new Set(ids))
    await announce({ event: 'follow.mention', to, entity: 'follow', ids: [follow.id], params }, ctx)
}
