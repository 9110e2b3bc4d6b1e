import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Subjects } from '../../kernel/approvals/act.ts'
import { notify } from '../../kernel/approvals/announce.ts'
import { currentApprovers, replaceApprover, type Step } from '../../kernel/approvals/course.ts'
import { findApproval, MAX_OPINION, type StoredApproval } from '../../kernel/approvals/find-approval.ts'
import { eligible, type Search } from '../../kernel/approvals/people.ts'
import { recordAct } from '../../kernel/approvals/record-act.ts'
import { barredNow, delegateFor, instead, removeApprover } from '../../kernel/approvals/stand-in.ts'
import { about, storeCourse } from '../../kernel/approvals/store-course.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { findMember, holdersOf } from '../../kernel/records/member.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Minimum interval between two reminders of one approval. */
const URGE_EVERY_MS = 3_600_000

/**
 * 改派: an administrator of flows transfers the pending decisions of a person to another, in this step and in later ones.
 *
 * @param body  `id`, `toUserId`, `opinion`, and `fromUserId` if several people are asked
 * @throws Refusal 409 if it is finished, 400 for somebody who is not asked or one who may not decide
 */
export async function reassign(
  body: JsonObject,
  subjects: Subjects,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const seen = await findApproval(idOf(body), ctx)
  const opinion = reasonOf(body, 'opinion', MAX_OPINION)
  await subjects(seen.entity).lock(seen.record_id, ctx)
  const found = await findApproval(seen.id, ctx, true)
  refuseEnded(found)
  const to = await findMember(body.toUserId, ctx)
  const from = pendingApprover(found, body.fromUserId)
  const search = { entity: found.entity, barred: await barredNow(found, ctx) }
  const course = await removeApprover(
    { steps: found.steps, at: found.step_no },
    from,
    () => [to.user_id],
    search,
    ctx,
  )
  if (course === null || to.user_id === from) refuseFaults({ toUserId: text('approval.person') })
  else {
    const act = {
      approvalId: found.id,
      stepNo: found.step_no,
      action: 'reassign',
      toUserId: to.user_id,
    } as const
    await recordAct({ ...act, opinion }, ctx)
    await storeCourse(found, course, ctx)
    if (currentApprovers(course).includes(to.user_id))
      await notify(about(found, 'next', [to.user_id], opinion), ctx)
  }
  return { data: { id: found.id }, recordId: found.id, detail: { from, to: to.user_id, opinion } }
}

/**
 * 催办: the submitter reminds the current approvers, once an hour; if none of them is available any more, the administrators of flows are notified and
 * can reassign it.
 */
export async function remindApprovers(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const found = await findApproval(idOf(body), ctx, true)
  if (found.submitter_id !== caller.userId) requires(caller, 'system:flow')
  refuseEnded(found)
  const { rows } = await sql<{ at: Date }>`select at from approval_act where tenant_id = ${caller.tenantId}
    and approval_id = ${found.id} and action = 'urge' and at > ${new Date(now.getTime() - URGE_EVERY_MS)} limit 1`.execute(
    trx,
  )
  if (rows.length > 0) refuse(409, 'STATE_CONFLICT', text('approval.urged'))
  const eligibleApprovers = await eligible(found.waiting_ids, { entity: found.entity, barred: [] }, ctx)
  const receivers = eligibleApprovers.length > 0 ? eligibleApprovers : await holdersOf('system:flow', ctx)
  await recordAct({ approvalId: found.id, stepNo: found.step_no, action: 'urge' }, ctx)
  await notify(about(found, 'urge', receivers, null), ctx)
  return { data: { id: found.id, told: receivers.length }, recordId: found.id }
}

/** Transfers approvals that wait for somebody who is away to their delegate. @returns the number of approvals */
export async function delegateWaiting(person: string, ctx: CallContext): Promise<number> {
  const moved = await passOn(person, 'delegate', ({ search }) => delegatesFor(person, search, ctx), ctx)
  return moved.passed
}

/**
 * Transfers approvals that wait for somebody who can no longer sign in: to their delegate while they are away, to others of the same
 * step, finally to those who would replace an empty step: nobody who has agreed before, if there is another. Later steps find replacements when they
 * begin.
 *
 * @returns how many were transferred, and for how many nobody was found
 */
export async function releaseWaiting(
  person: string,
  ctx: CallContext,
): Promise<{ readonly passed: number; readonly stuck: number }> {
  return passOn(
    person,
    'reassign',
    async ({ found, step, search }) => [
      ...(await delegatesFor(person, search, ctx)),
      ...(await eligible(step.people, search, ctx)),
      ...(await instead(
        { steps: found.steps, at: found.step_no },
        { ...search, submitterId: found.submitter_id },
        ctx,
      )),
    ],
    ctx,
  )
}

const delegatesFor = async (person: string, search: Who, ctx: CallContext): Promise<readonly string[]> => {
  const to = await delegateFor(person, search, ctx)
  return to === null ? [] : [to]
}

type Who = Pick<Search, 'entity' | 'barred'>

/** Replaces a person who is currently asked by others, trying `candidates` in order. */
async function passOn(
  person: string,
  action: 'delegate' | 'reassign',
  candidates: (of: { found: StoredApproval; step: Step; search: Who }) => Promise<readonly string[]>,
  ctx: CallContext,
): Promise<{ readonly passed: number; readonly stuck: number }> {
  let passed = 0
  const waiting = (await runningOf(person, ctx)).filter((it) => it.waiting_ids.includes(person))
  for (const found of waiting) {
    const step = found.steps[found.step_no]
    if (step === undefined) continue
    const search = { entity: found.entity, barred: [...(await barredNow(found, ctx)), person] }
    const next = replaceApprover(step, person, await candidates({ found, step, search }))
    if (next === null) continue
    const steps = found.steps.map((it, index) => (index === found.step_no ? next : it))
    const to = next.people.find((it) => !step.people.includes(it)) ?? null
    const act = { approvalId: found.id, stepNo: found.step_no, action, toUserId: to }
    await recordAct({ ...act, userId: action === 'delegate' ? person : ctx.caller.userId }, ctx)
    await storeCourse(found, { steps, at: found.step_no }, ctx)
    await notify(about(found, 'next', to === null ? [] : [to], null), ctx)
    passed += 1
  }
  return { passed, stuck: waiting.length - passed }
}

/**
 * Transfers all pending decisions of a person to a colleague; if that one may not decide, to others of the same step, and
 * finally to an administrator.
 *
 * @returns for how many nobody was found
 */
export async function handOverApprovals(fromId: string, toId: string, ctx: CallContext): Promise<number> {
  const administrators = await holdersOf('system:flow', ctx)
  let stuck = 0
  for (const found of await runningOf(fromId, ctx)) {
    const search = { entity: found.entity, barred: await barredNow(found, ctx) }
    const candidates = (step: Step) => [toId, ...step.people, ...administrators].filter((it) => it !== fromId)
    const before = { steps: found.steps, at: found.step_no }
    const course = await removeApprover(before, fromId, candidates, search, ctx)
    if (course === null) {
      stuck += 1
      continue
    }
    const fresh = currentApprovers(course).filter((approver) => !found.waiting_ids.includes(approver))
    const act = { approvalId: found.id, stepNo: found.step_no, action: 'reassign' } as const
    await recordAct({ ...act, toUserId: fresh[0] ?? toId }, ctx)
    await storeCourse(found, course, ctx)
    await notify(about(found, 'next', fresh, null), ctx)
  }
  return stuck
}

/** True for approvals that somebody still has to decide, now or in a later step. */
export function isUndecided(userId: string, row: string) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${at('status')} = 'running' and ${at('approver_ids')} @> array[${userId}]::text[]
    and exists (select 1 from jsonb_array_elements(${at('steps')}) with ordinality as s (step, n)
      where s.n > ${at('step_no')} and jsonb_exists(s.step -> 'people', ${userId})
        and not jsonb_exists(s.step -> 'approved', ${userId})))`
}

async function runningOf(person: string, { trx, caller }: CallContext): Promise<readonly StoredApproval[]> {
  const { rows } = await sql<StoredApproval>`select a.* from approval a
    where a.tenant_id = ${caller.tenantId} and ${isUndecided(person, 'a')} order by a.id for update`.execute(
    trx,
  )
  return rows
}

/** The person who is replaced: the one named, otherwise the only one who is asked. */
function pendingApprover(found: StoredApproval, given: Json | undefined): string {
  const [only, ...more] = found.waiting_ids
  const from = given ?? (more.length === 0 ? only : undefined)
  const isThere = found.steps.slice(found.step_no).some(({ people }) => people.includes(`${from}`))
  if (typeof from === 'string' && isThere) return from
  refuse(400, 'VALIDATION', text('approval.from'), { fields: { fromUserId: text('approval.from') } })
}

function refuseEnded({ status }: StoredApproval): void {
  if (status !== 'running') refuse(409, 'STATE_CONFLICT', text('approval.not-running'))
}
