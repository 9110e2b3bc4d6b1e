import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import { type Course, isApprover, replaceApprover, type Step } from './course.ts'
import { tableOf } from './entity.ts'
import type { StoredApproval } from './find-approval.ts'
import { approversOf, eligible, type Search } from './people.ts'

/** Somebody decides for a person who is away; kept for the history. */
export interface StandIn {
  readonly from: string
  readonly to: string
}

/** An approval whose current step asks people who can answer. */
export interface StartedApproval {
  readonly course: Course
  readonly delegated: readonly StandIn[]
}

/**
 * Called when a step begins: people who have left, lost the permission or become the owner since the submission are not asked any more. If nobody is
 * left, a replacement is searched as for a submission; people who are away are replaced by their delegates. If nobody can be found, the step stays
 * unchanged for an administrator to resolve.
 */
export async function beginStep(course: Course, search: Search, ctx: CallContext): Promise<StartedApproval> {
  const step = course.steps[course.at]
  if (step === undefined) return { course, delegated: [] }
  const eligibleApprovers = await eligible(step.people, search, ctx)
  const people = eligibleApprovers.length > 0 ? eligibleApprovers : await instead(course, search, ctx)
  if (people.length === 0) return { course, delegated: [] }
  let begun: StartedApproval = { course: withStep(course, course.at, { ...step, people }), delegated: [] }
  for (const from of people.filter((it) => !step.approved.includes(it))) {
    const { course: next, delegated } = await replaceAbsent(begun.course, from, search, ctx)
    begun = { course: next, delegated: [...begun.delegated, ...delegated] }
  }
  return begun
}

/** Replaces people in the current step who are away by their delegates. */
export async function replaceAbsent(
  course: Course,
  from: string,
  search: Pick<Search, 'entity' | 'barred'>,
  ctx: CallContext,
): Promise<StartedApproval> {
  const to = await delegateFor(from, search, ctx)
  const step = course.steps[course.at]
  const next = to === null || step === undefined ? null : replaceApprover(step, from, [to])
  if (to === null || next === null) return { course, delegated: [] }
  return { course: withStep(course, course.at, next), delegated: [{ from, to }] }
}

/**
 * Removes somebody from everything they still have to decide, in the current step and in later ones.
 *
 * @param candidates  who may be asked instead, by step, best first; people who may not decide are skipped
 * @returns null if one of the steps would be left with nobody
 */
export async function removeApprover(
  course: Course,
  person: string,
  candidates: (step: Step) => readonly string[],
  search: Pick<Search, 'entity' | 'barred'>,
  ctx: CallContext,
): Promise<Course | null> {
  let updated = course
  for (const [index, step] of course.steps.entries()) {
    if (index < course.at || !isApprover(step, person)) continue
    const next = replaceApprover(step, person, await eligible(candidates(step), search, ctx))
    if (next === null) return null
    updated = withStep(updated, index, next)
  }
  return updated
}

/** People who may not decide now: those barred by the submission, and the current owner. */
export async function barredNow(
  { entity, record_id, barred_ids }: Pick<StoredApproval, 'entity' | 'record_id' | 'barred_ids'>,
  { trx, caller }: CallContext,
): Promise<readonly string[]> {
  if (barred_ids.length === 0) return []
  const { rows } = await sql<{ owner_id: string }>`select owner_id from ${sql.table(tableOf(entity))}
    where tenant_id = ${caller.tenantId} and id = ${record_id}`.execute(trx)
  return [...new Set([...barred_ids, ...rows.map((row) => row.owner_id)])]
}

/** Maximum length of a chain of delegates who are all away. */
const MAX_CHAIN = 5

/** The person who currently decides for somebody who is away; null if they are present, or if no delegate may decide. */
export async function delegateFor(
  person: string,
  search: Pick<Search, 'entity' | 'barred'>,
  ctx: CallContext,
): Promise<string | null> {
  const { trx, caller, now } = ctx
  const { rows } = await sql<{ user_id: string }>`with recursive away as (
      select to_user_id as user_id, 1 as height from approval_delegate
        where tenant_id = ${caller.tenantId} and user_id = ${person} and from_at <= ${now} and until_at > ${now}
      union
      select d.to_user_id, away.height + 1 from approval_delegate d join away on away.user_id = d.user_id
        where d.tenant_id = ${caller.tenantId} and d.from_at <= ${now} and d.until_at > ${now} and away.height < ${MAX_CHAIN}
    ) select user_id from away order by height desc`.execute(trx)
  const chain = rows.map((row) => row.user_id).filter((it) => it !== person)
  return (await eligible(chain, search, ctx))[0] ?? null
}

/** Who is asked if nobody of the current step is available: preferably somebody who has not agreed before. */
export async function instead(
  { steps, at }: Course,
  search: Search,
  ctx: CallContext,
): Promise<readonly string[]> {
  const rule = { kind: 'user', value: steps[at]?.people[0] ?? '' } as const
  const before = steps.slice(0, at).flatMap((step) => step.approved)
  const fresh = await approversOf(rule, { ...search, barred: [...search.barred, ...before] }, ctx)
  return fresh.length > 0 ? fresh : approversOf(rule, search, ctx)
}

function withStep(course: Course, at: number, changed: Step): Course {
  return { ...course, steps: course.steps.map((step, index) => (index === at ? changed : step)) }
}
