import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { changeOf } from '../../kernel/fields/check-record.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { APPROVAL } from './approval-state.ts'
import { refuseState } from './approve-record.ts'
import { refreshReturn } from './owner-change.ts'
import { findOwnRecord, findOwnToChange, type StoredRecord, wireRecords } from './record.ts'

const MAX_VERSIONS = 200

/**
 * Begins the next version of a record: its current values are kept, and it becomes a draft again.
 * @throws Refusal 409 while an approval is running, and for a record that was changed meanwhile
 */
export async function beginVersion(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  refuseOthers(module)
  const { id, version } = changeOf(body)
  const found = await findOwnToChange(module, id, ctx)
  if (found.approval_status === APPROVAL.running) refuseState(found)
  if (found.version !== version) refuseStale((await wireRecords(module, [found], ctx))[0] ?? null)
  const { trx, caller, now } = ctx
  await trx
    .insertInto('record_version')
    .values({
      tenant_id: caller.tenantId,
      module: module.name,
      record_id: id,
      no: found.revision_no,
      title: found.title,
      ext: json(found.ext),
      approval_status: found.approval_status,
      created_by: caller.userId,
      created_at: now,
    })
    .execute()
  await updateRow('record', id, { revision_no: found.revision_no + 1, approval_status: APPROVAL.draft }, ctx)
  await refreshReturn(module, id, ctx)
  const next = await findOwnRecord(module, id, ctx)
  return {
    data: { id, version: next.version, revision_no: next.revision_no },
    recordId: id,
    detail: { revision_no: next.revision_no },
  }
}

/** GET /mini/m/<module>/versions: earlier versions of a record, the newest first. */
export async function versionsOf(module: MergedModule, id: string, ctx: CallContext): Promise<JsonObject> {
  refuseOthers(module)
  await findOwnRecord(module, id, ctx)
  const { rows } =
    await sql<object>`select v.no, v.title, v.approval_status, v.created_at, m.name as user_name
    from record_version v left join membership m on m.tenant_id = v.tenant_id and m.user_id = v.created_by
    where v.tenant_id = ${ctx.caller.tenantId} and v.module = ${module.name} and v.record_id = ${id}
    order by v.no desc limit ${MAX_VERSIONS}`.execute(ctx.trx)
  return { list: rows.map((row) => wireRow(row, ctx.zone)) }
}

/** A record as of an earlier version. @throws Refusal 404 if that number does not exist */
export async function asOfVersion(
  { name }: MergedModule,
  found: StoredRecord,
  no: number,
  { trx, caller }: CallContext,
): Promise<StoredRecord> {
  const { rows } = await sql<
    Pick<StoredRecord, 'title' | 'ext' | 'approval_status'>
  >`select title, ext, approval_status from record_version
    where tenant_id = ${caller.tenantId} and module = ${name} and record_id = ${found.id} and no = ${no}`.execute(
    trx,
  )
  const [earlier] = rows
  if (earlier === undefined) refuse(404, 'NOT_FOUND', text('own.no-version'))
  return { ...found, ...earlier, revision_no: no }
}

function refuseOthers({ behaviours }: MergedModule): void {
  if (!behaviours.includes('versions')) refuse(404, 'NOT_FOUND', text('own.no-versions'))
}
