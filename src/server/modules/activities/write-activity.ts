import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { changeOf, type Faults, idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { changedNames, checkWrite } from '../../kernel/records/checked-write.ts'
import { describedColumns, fieldsWith, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { nextNumber } from '../../kernel/records/number.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale, writtenRecord } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { activityRecord, findActivity, type StoredActivity, statusOf } from './activity.ts'

/** Creates an activity. Without an owner it belongs to the caller (DOMAIN 1.8). */
export async function createActivity(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const options = { fields: fieldsOf(ctx), form }
  const { values, faults, own, formFaults } = await checkWrite('activity', null, body, ctx, options)
  refuseFaults({
    ...formFaults,
    ...timeFaults(values, null),
    ...(await peopleFaults(values, ctx)),
    ...faults,
  })
  const id = newId(ctx.now.getTime())
  const activity_no = await nextNumber(ctx.trx, ctx.caller.tenantId, 'activity', ctx)
  await insertRow(
    'activity',
    {
      ...describedColumns(values, fieldsOf(ctx)),
      ...own,
      id,
      activity_no,
      owner_id: values.owner_id ?? ctx.caller.userId,
      ...searchOf(String(values.name), activity_no),
    },
    ctx,
  )
  return answerOf(id, ctx, body)
}

/** Changes an activity that is not cancelled. @throws Refusal 404, 409 */
export async function updateActivity(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { id, version, given } = changeOf(body)
  const found = await lockActivity(id, ctx)
  if (found.version !== version) refuseStale(activityRecord(found, ctx))
  const before = await applyActivity(found, given, ctx, form)
  const after = pick(wireRow(await findActivity(id, ctx), ctx.zone), Object.keys(before))
  return answerOf(id, ctx, { before, after })
}

/** An activity that is not cancelled, locked until the transaction ends. */
export async function lockActivity(id: string, ctx: CallContext): Promise<StoredActivity> {
  const found = await findActivity(id, ctx, true)
  refuseCancelled(found.cancelled_at)
  return found
}

/** Checks and stores a change. Without `form`, the rules of the form page are not checked. @returns the previous values of the changed fields */
export async function applyActivity(
  found: StoredActivity,
  given: JsonObject,
  ctx: CallContext,
  form?: FormCheck,
): Promise<JsonObject> {
  const options = { fields: fieldsOf(ctx), ...(form === undefined ? {} : { form }) }
  const written = await checkWrite('activity', found, given, ctx, options)
  const { changed, own } = written
  refuseFaults({
    ...written.formFaults,
    ...timeFaults(changed, found),
    ...(await peopleFaults(changed, ctx)),
    ...written.faults,
  })
  const before = pick(wireRow(found, ctx.zone), changedNames(written))
  const { owner_id, ...others } = changed
  const name = String(changed.name ?? found.name)
  if (Object.keys(before).length > 0)
    await updateRow(
      'activity',
      found.id,
      {
        ...describedColumns(others, fieldsOf(ctx)),
        ...own,
        ...(typeof owner_id === 'string' ? { owner_id } : {}),
        ...searchOf(name, String(found.activity_no)),
      },
      ctx,
    )
  return before
}

/** Cancels an activity, with a reason. A finished one cannot be cancelled. */
export async function cancelActivity(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findActivity(idOf(body), ctx, true)
  refuseCancelled(found.cancelled_at)
  if (statusOf(found, ctx.now) === 'ended') refuse(409, 'STATE_CONFLICT', text('activity.ended'))
  const reason = reasonOf(body)
  if (reason === null) refuseFaults({ reason: text('record.required', { label: text('record.reason') }) })
  await updateRow('activity', found.id, { cancelled_at: ctx.now, cancel_reason: reason }, ctx)
  return answerOf(found.id, ctx, { reason })
}

/** Deletes an activity. 422 REFERENCED while leads or customers refer to it (DOMAIN 1.16). */
export async function removeActivity(id: string, ctx: CallContext): Promise<void> {
  await findActivity(id, ctx, true)
  const { tenantId } = ctx.caller
  const { rows } = await sql`
    select 1 from lead where tenant_id = ${tenantId} and activity_id = ${id} and deleted_at is null
    union all
    select 1 from customer where tenant_id = ${tenantId} and activity_id = ${id} and deleted_at is null limit 1`.execute(
    ctx.trx,
  )
  if (rows.length > 0) refuse(422, 'REFERENCED', text('activity.used'))
  await updateRow('activity', id, { deleted_at: ctx.now }, ctx)
}

/** Restores an activity within 30 days. */
export async function restoreActivity(id: string, ctx: CallContext): Promise<void> {
  const { rows } = await sql`select 1 from activity where tenant_id = ${ctx.caller.tenantId} and id = ${id}
    and deleted_at >= ${oldestMark(ctx)} for update`.execute(ctx.trx)
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  await updateRow('activity', id, { deleted_at: null }, ctx)
}

/** The writable fields of an activity: those of its description, and its owner, which is a column that every record has. */
const fieldsOf = (ctx: CallContext): readonly Field[] =>
  fieldsWith(writtenFields('activity', ctx), {
    name: 'owner_id',
    kind: 'user',
    label: text('activity.field.owner_id'),
  })

function refuseCancelled(cancelled_at: Date | null): void {
  if (cancelled_at !== null) refuse(409, 'STATE_CONFLICT', text('activity.cancelled'))
}

function timeFaults(
  values: InputValues,
  found: { readonly start_at: Date; readonly end_at: Date } | null,
): Faults {
  const start = values.start_at ?? found?.start_at
  const end = values.end_at ?? found?.end_at
  const isUpsideDown = start instanceof Date && end instanceof Date && end < start
  return isUpsideDown ? { end_at: text('activity.ends-before') } : {}
}

async function peopleFaults({ owner_id, member_ids }: InputValues, ctx: CallContext): Promise<Faults> {
  const { trx, caller } = ctx
  const members = Array.isArray(member_ids) ? (member_ids as string[]) : []
  const owners = typeof owner_id === 'string' ? [owner_id] : []
  const wanted = [...new Set([...members, ...owners])]
  if (wanted.length === 0) return {}
  const { rows } = await sql<{ user_id: string }>`select user_id from membership
    where tenant_id = ${caller.tenantId} and user_id = any(${wanted}::text[]) and status = 'enabled'`.execute(
    trx,
  )
  const known = new Set(rows.map((row) => row.user_id))
  const missing = (ids: readonly string[]) => ids.some((id) => !known.has(id))
  const offered = (label: string) => text('record.not-offered', { label })
  return {
    ...(missing(owners) ? { owner_id: offered(text('activity.field.owner_id')) } : {}),
    ...(missing(members) ? { member_ids: offered(labelOfField('activity', 'member_ids', ctx)) } : {}),
  }
}

function searchOf(name: string, number: string) {
  const { mobile_norm: _, ...search } = searchColumns({ kind: 'company', name, number, phones: [] })
  return search
}

async function answerOf(id: string, ctx: CallContext, detail: Json): Promise<WriteResult<Json>> {
  const found = await findActivity(id, ctx)
  return writtenRecord(found, activityRecord(found, ctx), detail)
}
