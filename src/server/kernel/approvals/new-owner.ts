import { sql } from 'kysely'
import type { ApprovalEntity } from '../../../contract/approval.ts'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { notify } from './announce.ts'
import { replaceApprover } from './course.ts'
import type { StoredApproval } from './find-approval.ts'
import { eligible } from './people.ts'
import { recordAct } from './record-act.ts'
import { barredNow, instead } from './stand-in.ts'
import { about, storeCourse } from './store-course.ts'

/** Records that got another owner; absent: whatever the person owns. */
interface Records {
  readonly entity: ApprovalEntity
  readonly ids: readonly string[]
}

/**
 * Called when somebody became the owner of records under approval, on which they may not decide any more (DOMAIN 1.6): where the current step asks
 * them, the others of that step are asked, else those whom a submission would choose. Later steps find replacements when they begin.
 *
 * @returns the titles of those that nobody else may decide; they are left as they are
 */
export async function askOthersThanOwner(
  owner: string,
  ctx: CallContext,
  records?: Records,
): Promise<readonly string[]> {
  if (records?.ids.length === 0) return []
  const { trx, caller } = ctx
  const ofRecords =
    records === undefined
      ? sql<boolean>`true`
      : sql<boolean>`a.entity = ${records.entity} and a.record_id = any(${[...records.ids]}::text[])`
  const { rows } = await sql<StoredApproval>`select a.* from approval a
    where a.tenant_id = ${caller.tenantId} and a.status = 'running' and a.waiting_ids @> array[${owner}]::text[]
      and ${ofRecords} order by a.id for update`.execute(trx)
  const stuck: string[] = []
  for (const found of rows) {
    const barred = await barredNow(found, ctx)
    if (barred.includes(owner) && !(await askOthers(found, owner, barred, ctx))) stuck.push(found.title)
  }
  return stuck
}

/** {@link askOthersThanOwner} for a transfer. @throws Refusal 409 if nobody else may decide on one of the records */
export async function refuseSoleApprover(owner: string, records: Records, ctx: CallContext): Promise<void> {
  const [title] = await askOthersThanOwner(owner, ctx, records)
  if (title !== undefined) refuse(409, 'STATE_CONFLICT', text('approval.sole-owner', { title }))
}

/** @returns whether somebody was found */
async function askOthers(
  found: StoredApproval,
  owner: string,
  barred: readonly string[],
  ctx: CallContext,
): Promise<boolean> {
  const { entity, steps, step_no, submitter_id } = found
  const step = steps[step_no]
  if (step === undefined) return true
  const search = { entity, submitterId: submitter_id, barred }
  const next = replaceApprover(step, owner, [
    ...(await eligible(step.people, search, ctx)),
    ...(await instead({ steps, at: step_no }, search, ctx)),
  ])
  if (next === null) return false
  const fresh = next.people.filter((person) => !step.people.includes(person))
  const act = { approvalId: found.id, stepNo: step_no, action: 'reassign' } as const
  await recordAct({ ...act, toUserId: fresh[0] ?? null }, ctx)
  await storeCourse(found, { steps: steps.map((it, at) => (at === step_no ? next : it)), at: step_no }, ctx)
  await notify(about(found, 'next', fresh, null), ctx)
  return true
}
