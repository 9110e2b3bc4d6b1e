import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity } from '../../../contract/approval.ts'
import { requires } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import { idOf, reasonOf } from '../fields/check-record.ts'
import { refuseFaults } from '../fields/input.ts'
import type { WriteResult } from '../records/write-once.ts'
import { updateRow } from '../records/write-row.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { notify, notifyCopies } from './announce.ts'
import {
  addSigner,
  approveStep,
  type Course,
  currentApprovers,
  handOver,
  isDone,
  isWithdrawable,
} from './course.ts'
import { findApproval, latestApproval, MAX_OPINION, type StoredApproval } from './find-approval.ts'
import { eligible } from './people.ts'
import { recordAct } from './record-act.ts'
import { barredNow, beginStep, replaceAbsent } from './stand-in.ts'
import { about, recordStandIns, showApprovers, storeCourse } from './store-course.ts'
import type { Outcome, Settle } from './submit.ts'

/** A kind of record that is approved. */
export interface Subject {
  /** Locks the record and everything its totals depend on until the transaction ends, in the order that all writers use. */
  readonly lock: (recordId: string, ctx: CallContext) => Promise<{ readonly ownerId: string }>
  readonly settle: Settle
}
export type Subjects = (entity: ApprovalEntity) => Subject

/** Maximum number of steps an approval may grow to. */
const MAX_STEPS = 20

/**
 * One decision of an approver: approve, reject (with an opinion), hand over (transfer), ask one more person before or after themselves (addSign with
 * `place`), or put a question to the submitter and decide later (ask).
 *
 * @throws Refusal 404 if the caller does not see it, 405 if they are not asked, 409 STATE_CONFLICT if it is finished
 */
export async function actOnApproval(
  body: JsonObject,
  subjects: Subjects,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const seen = await findApproval(idOf(body), ctx)
  const opinion = reasonOf(body, 'opinion', MAX_OPINION)
  const { ownerId } = await subjects(seen.entity).lock(seen.record_id, ctx)
  const found = await findApproval(seen.id, ctx, true)
  refuseNonApprover(found, ctx)
  const { settle } = subjects(found.entity)
  const action = body.action
  if (action === 'approve') await approve(found, ownerId, opinion, settle, ctx)
  else if (action === 'reject') await reject(found, opinion, settle, ctx)
  else if (action === 'transfer' || action === 'addSign') await involve(found, action, body, ctx)
  else if (action === 'ask') await askBack(found, opinion, ctx)
  else refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'action' })
  return answerOf(found.id, ctx, { action, opinion })
}

/** 答复: the submitter answers or adds something while the approval runs; the current approvers are notified. */
export async function replyToApproval(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findApproval(idOf(body), ctx, true)
  const opinion = reasonOf(body, 'opinion', MAX_OPINION)
  if (found.submitter_id !== ctx.caller.userId)
    refuse(405, 'NO_PERMISSION', text('approval.not-asker'), { detail: 'approval:reply' })
  if (found.status !== 'running') refuse(409, 'STATE_CONFLICT', text('approval.not-running'))
  if (opinion === null) refuseFaults({ opinion: text('approval.answer') })
  await recordAct({ approvalId: found.id, stepNo: found.step_no, action: 'reply', opinion }, ctx)
  await notify(about(found, 'reply', found.waiting_ids, opinion), ctx)
  return { data: { id: found.id }, recordId: found.id, detail: { opinion } }
}

/** The submitter withdraws the approval, which is possible until somebody after the first step has agreed. */
export async function withdraw(
  entity: ApprovalEntity,
  recordId: string,
  subjects: Pick<Subject, 'settle'>,
  ctx: CallContext,
): Promise<void> {
  const latest = await latestApproval(entity, recordId, ctx)
  if (latest === null) refuse(409, 'STATE_CONFLICT', text('approval.not-running'))
  await withdrawRunning(latest.id, subjects.settle, ctx)
}

/** 撤回, from the page of the approval itself. */
export async function withdrawApproval(
  body: JsonObject,
  subjects: Subjects,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { id, entity, record_id } = await findApproval(idOf(body), ctx)
  const { lock, settle } = subjects(entity)
  await lock(record_id, ctx)
  await withdrawRunning(id, settle, ctx)
  return answerOf(id, ctx, {})
}

async function withdrawRunning(id: string, settle: Settle, ctx: CallContext): Promise<void> {
  const found = await findApproval(id, ctx, true)
  if (found.submitter_id !== ctx.caller.userId)
    refuse(405, 'NO_PERMISSION', text('approval.not-submitter'), { detail: `${found.entity}:withdraw` })
  if (found.status !== 'running') refuse(409, 'STATE_CONFLICT', text('approval.not-running'))
  if (!isWithdrawable(courseOf(found))) refuse(409, 'STATE_CONFLICT', text('approval.too-late'))
  await recordAct({ approvalId: found.id, stepNo: found.step_no, action: 'withdraw' }, ctx)
  await end(found, 'withdrawn', settle, ctx)
  await notify(about(found, 'withdrawn', found.waiting_ids, null), ctx)
}

async function approve(
  found: StoredApproval,
  ownerId: string,
  opinion: string | null,
  settle: Settle,
  ctx: CallContext,
): Promise<void> {
  const me = ctx.caller.userId
  // The caller may have become the owner since the submission.
  const isOwn = found.barred_ids.includes(me) || (found.barred_ids.length > 0 && ownerId === me)
  if (isOwn) refuse(405, 'NO_PERMISSION', text('approval.own'), { detail: 'approval:self' })
  const course = approveStep(courseOf(found), me)
  await recordAct({ approvalId: found.id, stepNo: found.step_no, action: 'approve', opinion }, ctx)
  if (isDone(course)) {
    await storeCourse(found, course, ctx)
    await end(found, 'approved', settle, ctx)
    await notify(about(found, 'approved', [found.submitter_id, ownerId], opinion), ctx)
    return
  }
  if (course.at === found.step_no) return storeCourse(found, course, ctx)
  const search = {
    entity: found.entity,
    submitterId: found.submitter_id,
    barred: await barredNow(found, ctx),
  }
  const begun = await beginStep(course, search, ctx)
  await storeCourse(found, begun.course, ctx)
  await recordStandIns(found.id, course.at, begun.delegated, ctx)
  await notify(about(found, 'next', currentApprovers(begun.course), opinion), ctx)
}

async function reject(
  found: StoredApproval,
  opinion: string | null,
  settle: Settle,
  ctx: CallContext,
): Promise<void> {
  if (opinion === null) refuseFaults({ opinion: text('approval.opinion') })
  await recordAct({ approvalId: found.id, stepNo: found.step_no, action: 'reject', opinion }, ctx)
  await end(found, 'rejected', settle, ctx)
  await notify(about(found, 'rejected', [found.submitter_id], opinion), ctx)
}

/** 询问: the decision stays with whoever asks; the submitter is notified of the question and can answer it. */
async function askBack(found: StoredApproval, opinion: string | null, ctx: CallContext): Promise<void> {
  if (opinion === null) refuseFaults({ opinion: text('approval.question') })
  const act = { approvalId: found.id, stepNo: found.step_no, action: 'ask', opinion } as const
  await recordAct({ ...act, toUserId: found.submitter_id }, ctx)
  await notify(about(found, 'ask', [found.submitter_id], opinion), ctx)
}

/**
 * Adds another person: in the actor's place, or in a separate step before or after the current one. As when a step begins, an approver who is away is
 * replaced by their delegate.
 */
async function involve(
  found: StoredApproval,
  action: 'transfer' | 'addSign',
  { toUserId, place = 'after', ...body }: JsonObject,
  ctx: CallContext,
): Promise<void> {
  const opinion = reasonOf(body, 'opinion', MAX_OPINION)
  if (place !== 'before' && place !== 'after')
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'place' })
  const me = ctx.caller.userId
  const course = courseOf(found)
  const search = { entity: found.entity, barred: [...found.barred_ids, me] }
  const [person] = await eligible(typeof toUserId === 'string' ? [toUserId] : [], search, ctx)
  const isThere = action === 'transfer' && (course.steps[course.at]?.people.includes(person ?? '') ?? false)
  if (person === undefined || isThere) refuseFaults({ toUserId: text('approval.person') })
  else if (course.steps.length >= MAX_STEPS) refuse(409, 'STATE_CONFLICT', text('approval.steps'))
  else {
    const next =
      action === 'transfer'
        ? handOver(course, me, person)
        : addSigner(course, person, text('approval.step.added'), place)
    const actionName = action === 'addSign' && place === 'before' ? 'addSignBefore' : action
    const act = {
      approvalId: found.id,
      stepNo: found.step_no,
      action: actionName,
      toUserId: person,
      opinion,
    } as const
    await recordAct(act, ctx)
    const isAskedNow = actionName !== 'addSign'
    const stood = isAskedNow
      ? await replaceAbsent(next, person, search, ctx)
      : { course: next, delegated: [] }
    await storeCourse(found, stood.course, ctx)
    await recordStandIns(found.id, found.step_no, stood.delegated, ctx)
    if (isAskedNow) await notify(about(found, 'next', [stood.delegated[0]?.to ?? person], opinion), ctx)
  }
}

async function end(found: StoredApproval, status: Outcome, settle: Settle, ctx: CallContext): Promise<void> {
  await updateRow('approval', found.id, { status, waiting_ids: [], ended_at: ctx.now }, ctx)
  await showApprovers(found.entity, found.record_id, [], [], ctx)
  await notifyCopies({ ...about(found, status, [], null), outcome: status }, ctx)
  await settle(found.record_id, status, ctx)
}

function refuseNonApprover(found: StoredApproval, { caller }: CallContext): void {
  requires(caller, `${found.entity}:approve`)
  if (found.status !== 'running') refuse(409, 'STATE_CONFLICT', text('approval.not-running'))
  if (found.waiting_ids.includes(caller.userId)) return
  if (found.approver_ids.includes(caller.userId)) refuse(409, 'STATE_CONFLICT', text('approval.done'))
  refuse(405, 'NO_PERMISSION', text('approval.not-asked'), { detail: 'approval:act' })
}

function courseOf({ steps, step_no }: StoredApproval): Course {
  return { steps, at: step_no }
}

async function answerOf(id: string, ctx: CallContext, detail: JsonObject): Promise<WriteResult<Json>> {
  const { status, waiting_ids, step_no, entity, record_id } = await findApproval(id, ctx)
  const data = { id, status, step_no, waiting_ids: [...waiting_ids], entity, record_id }
  return { data, recordId: id, detail }
}
