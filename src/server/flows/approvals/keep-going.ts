import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Subjects } from '../../kernel/approvals/act.ts'
import { notify } from '../../kernel/approvals/announce.ts'
import { relieve, type Step, waitingFor } from '../../kernel/approvals/course.ts'
import { findApproval, OPINION_MOST, type StoredApproval } from '../../kernel/approvals/find-approval.ts'
import { approversOf, eligible, type Search } from '../../kernel/approvals/people.ts'
import { recordAct } from '../../kernel/approvals/record-act.ts'
import { barredNow, delegateFor, takeOut } from '../../kernel/approvals/stand-in.ts'
import { about, storeCourse } from '../../kernel/approvals/store-course.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { requires } from '../../kernel/auth/caller.ts'
import { idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { findMember, holdersOf } from '../../kernel/records/member.ts'
import type { Written } from '../../kernel/records/write-once.ts'
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
export async function reassign(body: JsonObject, subjects: Subjects, asking: Asking): Promise<Written<Json>> {
  const seen = await findApproval(idOf(body), asking)
  const opinion = reasonOf(body, 'opinion', OPINION_MOST)
  await subjects(seen.entity).hold(seen.record_id, asking)
  const found = await findApproval(seen.id, asking, true)
  refuseEnded(found)
  const to = await findMember(body.toUserId, asking)
  const from = askedPerson(found, body.fromUserId)
  const search = { entity: found.entity, barred: await barredNow(found, asking) }
  const course = await takeOut(
    { steps: found.steps, at: found.step_no },
    from,
    () => [to.user_id],
    search,
    asking,
  )
  if (course === null || to.user_id === from) refuseFaults({ toUserId: text('approval.person') })
  else {
    const act = {
      approvalId: found.id,
      stepNo: found.step_no,
      action: 'reassign',
      toUserId: to.user_id,
    } as const
    await recordAct({ ...act, opinion }, asking)
    await storeCourse(found, course, asking)
    if (waitingFor(course).includes(to.user_id))
      await notify(about(found, 'next', [to.user_id], opinion), asking)
  }
  return { data: { id: found.id }, recordId: found.id, detail: { from, to: to.user_id, opinion } }
}

/**
 * 催办: the submitter reminds the current approvers, once an hour; if none of them is available any more, the administrators of flows are notified and
 * can reassign it.
 */
export async function urge(body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { trx, caller, now } = asking
  const found = await findApproval(idOf(body), asking, true)
  if (found.submitter_id !== caller.userId) requires(caller, 'system:flow')
  refuseEnded(found)
  const { rows } = await sql<{ at: Date }>`select at from approval_act where tenant_id = ${caller.tenantId}
    and approval_id = ${found.id} and action = 'urge' and at > ${new Date(now.getTime() - URGE_EVERY_MS)} limit 1`.execute(
    trx,
  )
  if (rows.length > 0) refuse(409, 'STATE_CONFLICT', text('approval.urged'))
  const there = await eligible(found.waiting_ids, { entity: found.entity, barred: [] }, asking)
  const told = there.length > 0 ? there : await holdersOf('system:flow', asking)
  await recordAct({ approvalId: found.id, stepNo: found.step_no, action: 'urge' }, asking)
  await notify(about(found, 'urge', told, null), asking)
  return { data: { id: found.id, told: told.length }, recordId: found.id }
}

/** Transfers approvals that wait for somebody who is away to their delegate. @returns the number of approvals */
export async function delegateWaiting(person: string, asking: Asking): Promise<number> {
  const moved = await passOn(person, 'delegate', ({ search }) => delegatesFor(person, search, asking), asking)
  return moved.passed
}

/**
 * Transfers approvals that wait for somebody who can no longer sign in: to their delegate while they are away, to others of the same
 * step, finally to those who would replace an empty step. Later steps find replacements when they begin.
 *
 * @returns how many were transferred, and for how many nobody was found
 */
export async function releaseWaiting(
  person: string,
  asking: Asking,
): Promise<{ readonly passed: number; readonly stuck: number }> {
  const rule = { kind: 'user', value: person } as const
  return passOn(
    person,
    'reassign',
    async ({ found, step, search }) => [
      ...(await delegatesFor(person, search, asking)),
      ...(await eligible(step.people, search, asking)),
      ...(await approversOf(rule, { ...search, submitterId: found.submitter_id }, asking)),
    ],
    asking,
  )
}

const delegatesFor = async (person: string, search: Who, asking: Asking): Promise<readonly string[]> => {
  const to = await delegateFor(person, search, asking)
  return to === null ? [] : [to]
}

type Who = Pick<Search, 'entity' | 'barred'>

/** Replaces a person who is currently asked by others, trying `candidates` in order. */
async function passOn(
  person: string,
  action: 'delegate' | 'reassign',
  candidates: (of: { found: StoredApproval; step: Step; search: Who }) => Promise<readonly string[]>,
  asking: Asking,
): Promise<{ readonly passed: number; readonly stuck: number }> {
  let passed = 0
  const waiting = (await runningOf(person, asking)).filter((it) => it.waiting_ids.includes(person))
  for (const found of waiting) {
    const step = found.steps[found.step_no]
    if (step === undefined) continue
    const search = { entity: found.entity, barred: [...(await barredNow(found, asking)), person] }
    const next = relieve(step, person, await candidates({ found, step, search }))
    if (next === null) continue
    const steps = found.steps.map((it, index) => (index === found.step_no ? next : it))
    const to = next.people.find((it) => !step.people.includes(it)) ?? null
    const act = { approvalId: found.id, stepNo: found.step_no, action, toUserId: to }
    await recordAct({ ...act, userId: action === 'delegate' ? person : asking.caller.userId }, asking)
    await storeCourse(found, { steps, at: found.step_no }, asking)
    await notify(about(found, 'next', to === null ? [] : [to], null), asking)
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
export async function handOverApprovals(fromId: string, toId: string, asking: Asking): Promise<number> {
  const administrators = await holdersOf('system:flow', asking)
  let stuck = 0
  for (const found of await runningOf(fromId, asking)) {
    const search = { entity: found.entity, barred: await barredNow(found, asking) }
    const candidates = (step: Step) => [toId, ...step.people, ...administrators].filter((it) => it !== fromId)
    const before = { steps: found.steps, at: found.step_no }
    const course = await takeOut(before, fromId, candidates, search, asking)
    if (course === null) {
      stuck += 1
      continue
    }
    const fresh = waitingFor(course).filter((it) => !found.waiting_ids.includes(it))
    const act = { approvalId: found.id, stepNo: found.step_no, action: 'reassign' } as const
    await recordAct({ ...act, toUserId: fresh[0] ?? toId }, asking)
    await storeCourse(found, course, asking)
    await notify(about(found, 'next', fresh, null), asking)
  }
  return stuck
}

/** True for approvals that somebody still has to decide, now or in a later step. */
export function isStillAsked(userId: string, row: string) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${at('status')} = 'running' and ${at('approver_ids')} @> array[${userId}]::text[]
    and exists (select 1 from jsonb_array_elements(${at('steps')}) with ordinality as s (step, n)
      where s.n > ${at('step_no')} and jsonb_exists(s.step -> 'people', ${userId})
        and not jsonb_exists(s.step -> 'approved', ${userId})))`
}

async function runningOf(person: string, { trx, caller }: Asking): Promise<readonly StoredApproval[]> {
  const { rows } = await sql<StoredApproval>`select a.* from approval a
    where a.tenant_id = ${caller.tenantId} and ${isStillAsked(person, 'a')} order by a.id for update`.execute(
    trx,
  )
  return rows
}

/** The person who is replaced: the one named, otherwise the only one who is asked. */
function askedPerson(found: StoredApproval, given: Json | undefined): string {
  const [only, ...more] = found.waiting_ids
  const from = given ?? (more.length === 0 ? only : undefined)
  const isThere = found.steps.slice(found.step_no).some(({ people }) => people.includes(`${from}`))
  if (typeof from === 'string' && isThere) return from
  refuse(400, 'VALIDATION', text('approval.from'), { fields: { fromUserId: text('approval.from') } })
}

function refuseEnded({ status }: StoredApproval): void {
  if (status !== 'running') refuse(409, 'STATE_CONFLICT', text('approval.not-running'))
}
