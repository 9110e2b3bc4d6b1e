import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { followRow } from './follow-row.ts'
import { notifyAuthor } from './notify-colleagues.ts'

/**
 * POST /mini/follow/like: likes or unlikes a follow-up the caller sees. Its author is notified once per person.
 * @param body  `id`, `on`; without `on` it toggles. Repeating the same value changes nothing.
 */
export async function likeFollow(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const follow = await followRow(String(body.id), ctx)
  const isOn = typeof body.on === 'boolean' ? body.on : !follow.liked
  const key = { tenant_id: caller.tenantId, follow_id: follow.id, user_id: caller.userId }
  if (isOn) {
    await trx
      .insertInto('follow_like')
      .values({ ...key, created_at: now })
      .onConflict((it) => it.doNothing())
      .execute()
    const once = `like/${follow.id}/${caller.userId}`
    await notifyAuthor('follow.like', follow, { content: follow.content, once }, ctx)
  } else
    await sql`delete from follow_like where tenant_id = ${key.tenant_id} and follow_id = ${key.follow_id}
      and user_id = ${key.user_id}`.execute(trx)
  const { like_count, liked } = await followRow(follow.id, ctx)
  return { data: { id: follow.id, like_count, liked }, recordId: follow.id, detail: { on: isOn } }
}
