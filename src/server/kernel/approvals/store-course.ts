import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity } from '../../../contract/approval.ts'
import type { CallContext } from '../context/call-context.ts'
import { json } from '../db/json.ts'
import { updateRow } from '../records/write-row.ts'
import { type Announcement, eventsOf } from './announce.ts'
import { type Course, currentApprovers } from './course.ts'
import { tableOf } from './entity.ts'
import type { StoredApproval } from './find-approval.ts'
import { recordAct } from './record-act.ts'
import type { StandIn } from './stand-in.ts'

/** Stores the progress of an approval; everybody it was ever assigned to may from then on read it and its record. */
export async function storeCourse(
  found: Pick<StoredApproval, 'id' | 'entity' | 'record_id' | 'approver_ids'>,
  course: Course,
  ctx: CallContext,
): Promise<void> {
  const waiting = currentApprovers(course)
  const everybody = [...new Set([...found.approver_ids, ...course.steps.flatMap((step) => step.people)])]
  await updateRow(
    'approval',
    found.id,
    {
      steps: json(course.steps as unknown as Json),
      step_no: course.at,
      waiting_ids: [...waiting],
      approver_ids: everybody,
    },
    ctx,
  )
  await showApprovers(found.entity, found.record_id, waiting, everybody, ctx)
}

/** Stores in the record who decides now and, in addition to earlier people, who may read it because they are asked. */
export async function showApprovers(
  entity: ApprovalEntity,
  recordId: string,
  waiting: readonly string[],
  readers: readonly string[],
  { trx, caller }: CallContext,
): Promise<void> {
  await sql`update ${sql.table(tableOf(entity))} set approver_id = ${waiting[0] ?? null},
      approver_ids = array(select distinct unnest(approver_ids || ${[...readers]}::text[]))
    where tenant_id = ${caller.tenantId} and id = ${recordId}`.execute(trx)
}

/** Records who decides on whose behalf in the step that begins. */
export async function recordStandIns(
  approvalId: string,
  stepNo: number,
  delegated: readonly StandIn[],
  ctx: CallContext,
): Promise<void> {
  for (const { from, to } of delegated)
    await recordAct({ approvalId, stepNo, action: 'delegate', userId: from, toUserId: to }, ctx)
}

/** The facts about an approval that notifications use. */
export function about(
  { id, entity, record_id, title, amount }: StoredApproval,
  kind: 'next' | 'approved' | 'rejected' | 'withdrawn' | 'urge' | 'ask' | 'reply',
  receiverIds: readonly string[],
  opinion: string | null,
): Announcement {
  return {
    event: `${eventsOf(entity)}.${kind}`,
    entity,
    recordId: record_id,
    approvalId: id,
    title,
    amount,
    receiverIds,
    opinion,
  }
}
