import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { writableOf } from '../../kernel/records/checked-write.ts'
import { checkDescribed, describedColumns, writtenFields } from '../../kernel/records/described.ts'
import { isJustDeleted } from '../../kernel/records/just-deleted.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateFaults } from './create-follow.ts'
import { followForChange, followRow } from './follow-row.ts'
import { notifyAuthor, notifyMentioned } from './notify-colleagues.ts'
import { refreshSummary } from './summary.ts'

const COMMENT: readonly Field[] = [
  { name: 'content', kind: 'long-text', max: 500, label: text('follow.field.comment'), required: true },
]

/** Changes a follow-up (24-hour rule). */
export async function updateFollow(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { id, version, ...posted } = body
  const found = await followForChange(String(id), ctx)
  const given = writableOf('follow', { ...found }, posted, ctx)
  const stored = found as unknown as { version: number }
  if (version !== undefined && version !== stored.version)
    refuseStale((await followRow(found.id, ctx)) as unknown as Json)
  const fields = writtenFields('follow', ctx, 'change')
  const { values, changed, faults } = await checkDescribed(given, fields, ctx, { ...found })
  refuseFaults({ ...dateFaults(values, ctx), ...faults })
  // `followed_at` cannot be cleared: a null value is ignored.
  const { followed_at, ...others } = changed
  const changes = followed_at == null ? others : changed
  await updateRow('follow', found.id, describedColumns(changes, fields), ctx)
  await refreshSummary(found, undefined, ctx)
  const record = await followRow(found.id, ctx)
  return {
    data: { id: found.id, version: record.version, record: record as unknown as Json },
    recordId: found.id,
    detail: { before: pick(wireRow(found, ctx.zone), Object.keys(changes)) },
  }
}

/** Deletes a follow-up (24-hour rule). The summary shows the previous follow-up again. */
export async function removeFollow(id: string, ctx: CallContext): Promise<void> {
  const found = await followForChange(id, ctx)
  await sql`update follow set deleted_at = ${ctx.now}, updated_by = ${ctx.caller.userId}, updated_at = ${ctx.now},
    version = version + 1 where tenant_id = ${ctx.caller.tenantId} and id = ${found.id}`.execute(ctx.trx)
  await refreshSummary(found, undefined, ctx)
}

/** Restores a follow-up that the caller deleted a moment ago (撤销). The summary shows it again. */
export async function restoreFollow(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const { rows } =
    await sql`update follow f set deleted_at = null, updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
    where f.tenant_id = ${caller.tenantId} and f.id = ${id} and ${isJustDeleted(ctx, 'f')} returning f.id`.execute(
      trx,
    )
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  // The same checks as for other changes: its record may have another owner by now, or be deleted.
  await refreshSummary(await followForChange(id, ctx), undefined, ctx)
}

/** Adds a comment (点评) to a follow-up the caller sees. */
export async function commentFollow(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { id, mentionIds, replyToId, ...given } = body
  const { values, faults } = await checkDescribed(given, COMMENT, ctx)
  refuseFaults(faults)
  const { trx, caller, now } = ctx
  const follow = await followRow(String(id), ctx)
  const mentioned = Array.isArray(mentionIds) ? mentionIds.map(String).slice(0, 20) : []
  const answered = typeof replyToId === 'string' ? await authorOfReplied(replyToId, follow.id, ctx) : null
  const commentId = newId(now.getTime())
  await trx
    .insertInto('follow_comment')
    .values({
      tenant_id: caller.tenantId,
      id: commentId,
      follow_id: follow.id,
      reply_to_id: typeof replyToId === 'string' ? replyToId : null,
      content: String(values.content),
      mention_ids: mentioned,
      author_id: caller.userId,
      created_by: caller.userId,
      created_at: now,
      updated_by: caller.userId,
      updated_at: now,
    })
    .execute()
  await sql`update follow set comment_count = comment_count + 1
    where tenant_id = ${caller.tenantId} and id = ${follow.id}`.execute(trx)
  const content = String(values.content)
  await notifyAuthor('follow.comment', follow, { content }, ctx)
  const receivers = [follow.author_id, answered]
  if (answered !== null && answered !== follow.author_id)
    await notifyAuthor('follow.reply', { id: follow.id, author_id: answered }, { content }, ctx)
  const others = mentioned.filter((to) => !receivers.includes(to))
  await notifyMentioned(others, follow, content, ctx)
  return { data: { id: commentId }, recordId: follow.id, detail: { commentId } }
}

/** The author of the comment that is answered, which must be on the same follow-up. */
async function authorOfReplied(id: string, followId: string, { trx, caller }: CallContext): Promise<string> {
  const answered = await trx
    .selectFrom('follow_comment')
    .select('author_id')
    .where('tenant_id', '=', caller.tenantId)
    .where('follow_id', '=', followId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (answered === undefined)
    refuse(400, 'VALIDATION', text('follow.reply'), { fields: { replyToId: text('follow.reply') } })
  return answered.author_id
}
