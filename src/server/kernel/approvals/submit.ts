import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity, FlowStep } from '../../../contract/approval.ts'
import type { CallContext } from '../context/call-context.ts'
import { newId } from '../db/id.ts'
import { json } from '../db/json.ts'
import { insertRow, updateRow } from '../records/write-row.ts'
import { text } from '../text/text.ts'
import { eventsOf, notify, notifyCopies } from './announce.ts'
import { isMet, storedRecord } from './conditions.ts'
import { currentApprovers, type Step } from './course.ts'
import { tableOf } from './entity.ts'
import { flowOf } from './flow.ts'
import { approversOf, namedBy, type Search } from './people.ts'
import { recordAct } from './record-act.ts'
import { beginStep } from './stand-in.ts'
import { recordStandIns, showApprovers } from './store-course.ts'

/** The submitted record, already locked by the transaction. */
export interface Submission {
  readonly entity: ApprovalEntity
  readonly recordId: string
  readonly title: string
  /** Yuan; decides which steps apply. */
  readonly amount: number
  /** A line is sold below its price floor: such a record is never approved without a decision. */
  readonly isBelowMin: boolean
  readonly ownerId: string
}

/** The results an approval can have for its record. */
export type Outcome = 'approved' | 'rejected' | 'withdrawn'

/** What a kind of record does when its approval ends. */
export type Settle = (recordId: string, outcome: Outcome, ctx: CallContext) => Promise<void>

/** Starts the approval of a record with the tenant's flow; if no step applies it is approved at once (DOMAIN 1.6). */
export async function submitForApproval(
  submission: Submission,
  settle: Settle,
  ctx: CallContext,
): Promise<void> {
  const { entity, recordId, title, amount, ownerId } = submission
  const { caller, now } = ctx
  const flow = await flowOf(entity, ctx)
  const barred = flow.allow_self ? [] : [...new Set([caller.userId, ownerId])]
  const search = { entity, submitterId: caller.userId, barred }
  const readsFields = flow.steps.some(({ when }) => when !== undefined)
  const stored = readsFields ? await storedRecord(entity, recordId, ctx) : {}
  const wanted = flow.enabled ? flow.steps.filter((step) => applies(step, submission, stored)) : []
  const isUnseen = wanted.length === 0 && submission.isBelowMin
  const found = await resolveSteps(isUnseen ? [{ kind: 'superior', mode: 'any' }] : wanted, search, ctx)
  const { course, delegated } = await beginStep({ steps: found, at: 0 }, search, ctx)
  const { steps } = course
  const cc = await copies(flow.cc, caller.userId, ctx)
  const isRunning = steps.length > 0
  const approvers = [...new Set([...found, ...steps].flatMap((step) => step.people))]
  const waiting = currentApprovers(course)
  const id = newId(now.getTime())
  await insertRow(
    'approval',
    {
      id,
      entity,
      record_id: recordId,
      title,
      amount,
      submitter_id: caller.userId,
      status: isRunning ? 'running' : 'approved',
      steps: json(steps as unknown as Json),
      barred_ids: barred,
      waiting_ids: [...waiting],
      approver_ids: approvers,
      cc_ids: [...cc],
      submitted_at: now,
      ended_at: isRunning ? null : now,
    },
    ctx,
  )
  await recordAct({ approvalId: id, stepNo: 0, action: 'submit' }, ctx)
  await recordStandIns(id, 0, delegated, ctx)
  await updateRow(
    tableOf(entity),
    recordId,
    { submitted_by: caller.userId, submitted_at: now, approval_status: 1 },
    ctx,
  )
  await showApprovers(entity, recordId, waiting, [...approvers, ...cc], ctx)
  const announcement = { entity, recordId, approvalId: id, title, amount, opinion: null }
  await notify({ ...announcement, event: `${eventsOf(entity)}.submit`, receiverIds: waiting }, ctx)
  await notifyCopies({ ...announcement, outcome: isRunning ? 'running' : 'approved' }, ctx)
  if (isRunning) return
  await recordAct({ approvalId: id, stepNo: 0, action: 'pass' }, ctx)
  await settle(recordId, 'approved', ctx)
}

/** @param stored  the record, if a step depends on its fields */
function applies(step: FlowStep, { amount, isBelowMin }: Submission, stored: JsonObject): boolean {
  const { min_amount, below_min, when } = step
  if (min_amount === undefined && below_min !== true && when === undefined) return true
  return (
    (min_amount !== undefined && amount >= min_amount) ||
    (below_min === true && isBelowMin) ||
    isMet(step, stored)
  )
}

/** The people of each step; somebody who already decided a step alone is not asked again. */
async function resolveSteps(
  wanted: readonly FlowStep[],
  search: Search,
  ctx: CallContext,
): Promise<readonly Step[]> {
  const steps: Step[] = []
  for (const step of wanted) {
    const people = await approversOf(step, search, ctx)
    const isSameApprover = steps.some(
      (it) => it.people.length === 1 && people.length === 1 && it.people[0] === people[0],
    )
    if (people.length > 0 && !isSameApprover)
      steps.push({ name: text(`approval.step.${step.kind}`), mode: step.mode, people, approved: [] })
  }
  return steps
}

async function copies(
  rules: readonly Parameters<typeof namedBy>[0][],
  submitterId: string,
  ctx: CallContext,
): Promise<readonly string[]> {
  const people: string[] = []
  for (const rule of rules) people.push(...(await namedBy(rule, submitterId, ctx)))
  return [...new Set(people)].filter((person) => person !== submitterId)
}
