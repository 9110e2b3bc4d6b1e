import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { newId } from '../../kernel/db/id.ts'
import { changeOf, type Faults, idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { changedNames, checkWrite } from '../../kernel/records/checked-write.ts'
import { describedColumns, fieldsWith, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { nextNumber } from '../../kernel/records/number.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale, writtenRecord } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { activityRecord, findActivity, type StoredActivity, statusOf } from './activity.ts'

/** Creates an activity. Without an owner it belongs to the caller (DOMAIN 1.8). */
export async function createActivity(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const how = { fields: fieldsOf(asking), form }
  const { values, faults, own, formFaults } = await checkWrite('activity', null, body, asking, how)
  refuseFaults({
    ...formFaults,
    ...timeFaults(values, null),
    ...(await peopleFaults(values, asking)),
    ...faults,
  })
  const id = newId(asking.now.getTime())
  const activity_no = await nextNumber(asking.trx, asking.caller.tenantId, 'activity', asking)
  await insertRow(
    'activity',
    {
      ...describedColumns(values, fieldsOf(asking)),
      ...own,
      id,
      activity_no,
      owner_id: values.owner_id ?? asking.caller.userId,
      ...searchOf(String(values.name), activity_no),
    },
    asking,
  )
  return answerOf(id, asking, body)
}

/** Changes an activity that is not cancelled. @throws Refusal 404, 409 */
export async function updateActivity(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { id, version, given } = changeOf(body)
  const found = await findHeld(id, asking)
  if (found.version !== version) refuseStale(activityRecord(found, asking))
  const before = await applyActivity(found, given, asking, form)
  const after = pick(wireRow(await findActivity(id, asking), asking.zone), Object.keys(before))
  return answerOf(id, asking, { before, after })
}

/** An activity that is not cancelled, locked until the transaction ends. */
export async function findHeld(id: string, asking: Asking): Promise<StoredActivity> {
  const found = await findActivity(id, asking, true)
  refuseCancelled(found.cancelled_at)
  return found
}

/** Checks and stores a change. Without `form`, the rules of the form page are not checked. @returns the previous values of the changed fields */
export async function applyActivity(
  found: StoredActivity,
  given: JsonObject,
  asking: Asking,
  form?: FormCheck,
): Promise<JsonObject> {
  const how = { fields: fieldsOf(asking), ...(form === undefined ? {} : { form }) }
  const written = await checkWrite('activity', found, given, asking, how)
  const { changed, own } = written
  refuseFaults({
    ...written.formFaults,
    ...timeFaults(changed, found),
    ...(await peopleFaults(changed, asking)),
    ...written.faults,
  })
  const before = pick(wireRow(found, asking.zone), changedNames(written))
  const { owner_id, ...others } = changed
  const name = String(changed.name ?? found.name)
  if (Object.keys(before).length > 0)
    await updateRow(
      'activity',
      found.id,
      {
        ...describedColumns(others, fieldsOf(asking)),
        ...own,
        ...(typeof owner_id === 'string' ? { owner_id } : {}),
        ...searchOf(name, String(found.activity_no)),
      },
      asking,
    )
  return before
}

/** Cancels an activity, with a reason. A finished one cannot be cancelled. */
export async function cancelActivity(body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const found = await findActivity(idOf(body), asking, true)
  refuseCancelled(found.cancelled_at)
  if (statusOf(found, asking.now) === 'ended') refuse(409, 'STATE_CONFLICT', text('activity.ended'))
  const reason = reasonOf(body)
  if (reason === null) refuseFaults({ reason: text('record.required', { label: text('record.reason') }) })
  await updateRow('activity', found.id, { cancelled_at: asking.now, cancel_reason: reason }, asking)
  return answerOf(found.id, asking, { reason })
}

/** Deletes an activity. 422 REFERENCED while leads or customers refer to it (DOMAIN 1.16). */
export async function removeActivity(id: string, asking: Asking): Promise<void> {
  await findActivity(id, asking, true)
  const { tenantId } = asking.caller
  const { rows } = await sql`
    select 1 from lead where tenant_id = ${tenantId} and activity_id = ${id} and deleted_at is null
    union all
    select 1 from customer where tenant_id = ${tenantId} and activity_id = ${id} and deleted_at is null limit 1`.execute(
    asking.trx,
  )
  if (rows.length > 0) refuse(422, 'REFERENCED', text('activity.used'))
  await updateRow('activity', id, { deleted_at: asking.now }, asking)
}

/** Restores an activity within 30 days. */
export async function restoreActivity(id: string, asking: Asking): Promise<void> {
  const { rows } = await sql`select 1 from activity where tenant_id = ${asking.caller.tenantId} and id = ${id}
    and deleted_at >= ${oldestMark(asking)} for update`.execute(asking.trx)
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  await updateRow('activity', id, { deleted_at: null }, asking)
}

/** The writable fields of an activity: those of its description, and its owner, which is a column that every record has. */
const fieldsOf = (asking: Asking): readonly Field[] =>
  fieldsWith(writtenFields('activity', asking), {
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

async function peopleFaults({ owner_id, member_ids }: InputValues, asking: Asking): Promise<Faults> {
  const { trx, caller } = asking
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
    ...(missing(members) ? { member_ids: offered(labelOfField('activity', 'member_ids', asking)) } : {}),
  }
}

function searchOf(name: string, number: string) {
  const { mobile_norm: _, ...search } = searchColumns({ kind: 'company', name, number, phones: [] })
  return search
}

async function answerOf(id: string, asking: Asking, detail: Json): Promise<Written<Json>> {
  const found = await findActivity(id, asking)
  return writtenRecord(found, activityRecord(found, asking), detail)
}
