import { sql } from 'kysely'
import type { ApprovalEntity, ApprovalStatus } from '../../../contract/approval.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Caller } from '../auth/caller.ts'
import { ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isOwnVisible } from '../visibility/own-module.ts'
import { isVisible } from '../visibility/predicate.ts'
import type { Step } from './course.ts'
import { approvedModules } from './entity.ts'

/** An approval as stored in the database. */
export interface StoredApproval {
  readonly id: string
  readonly entity: ApprovalEntity
  readonly record_id: string
  readonly title: string
  readonly amount: number
  readonly submitter_id: string
  readonly status: ApprovalStatus
  readonly steps: readonly Step[]
  readonly step_no: number
  readonly barred_ids: readonly string[]
  readonly waiting_ids: readonly string[]
  readonly approver_ids: readonly string[]
  readonly submitted_at: Date
  readonly ended_at: Date | null
}

/** Maximum characters of an opinion. */
export const MAX_OPINION = 500

/**
 * Who may read an approval: the submitter, those asked, those in copy, administrators of flows, and whoever sees the contract or the record it is
 * about.
 */
function isApprovalVisible(ctx: CallContext, row: string) {
  const { caller } = ctx
  const at = (name: string) => sql.ref(`${row}.${name}`)
  const me = caller.userId
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and (${isParticipant(me, row)}
    or ${isAdministrator(caller)}
    or (${caller.permissions.has('contract:view')} and exists (select 1 from contract seen where seen.id = (case ${at('entity')}
      when 'contract' then ${at('record_id')} else (select p.contract_id from payment p
        where p.tenant_id = ${caller.tenantId} and p.id = ${at('record_id')}) end)
      and ${isVisible(caller, 'contract', 'seen')}))
    or ${sql.join(
      [sql`false`, ...seenModules(ctx).map((module) => isRecordSeen(module, ctx, row))],
      sql` or `,
    )}))`
}

const seenModules = (ctx: CallContext): readonly MergedModule[] =>
  approvedModules(ctx).filter(({ name }) => ctx.caller.permissions.has(`${ownRights(name)}:view`))

const isRecordSeen = (module: MergedModule, { caller }: CallContext, row: string) =>
  sql<boolean>`(${sql.ref(`${row}.entity`)} = ${ownRights(module.name)} and exists (select 1 from record seen
    where seen.id = ${sql.ref(`${row}.record_id`)} and ${isOwnVisible(caller, module, 'seen')}))`

/** True for people who make sure that no approval gets stuck. */
export function isAdministrator({ permissions }: Caller) {
  return sql<boolean>`${permissions.has('system:flow')}::boolean`
}

/** Submitter, those asked, those in copy. */
export function isParticipant(userId: string, row: string) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${at('submitter_id')} = ${userId} or ${userId} = any(${at('approver_ids')})
    or ${userId} = any(${at('cc_ids')}))`
}

/** An approval the caller sees; 404 otherwise. */
export async function findApproval(id: string, ctx: CallContext, lock = false): Promise<StoredApproval> {
  const { rows } = await sql<StoredApproval>`select a.* from approval a
    where ${isApprovalVisible(ctx, 'a')} and a.id = ${id} ${lock ? sql`for update of a` : sql``}`.execute(
    ctx.trx,
  )
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** The running approval of a record, else the last one; null if it was never submitted. */
export async function latestApproval(
  entity: ApprovalEntity,
  recordId: string,
  { trx, caller }: CallContext,
): Promise<{
  readonly id: string
  readonly status: ApprovalStatus
  readonly waiting_ids: readonly string[]
  readonly submitter_id: string
} | null> {
  const { rows } = await sql<{
    id: string
    status: ApprovalStatus
    waiting_ids: readonly string[]
    submitter_id: string
  }>`select id, status, waiting_ids, submitter_id from approval
    where tenant_id = ${caller.tenantId} and entity = ${entity} and record_id = ${recordId}
    order by (status = 'running') desc, submitted_at desc, id desc limit 1`.execute(trx)
  return rows[0] ?? null
}
