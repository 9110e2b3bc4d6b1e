import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../../runtime/core/logic/rule.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { withdraw } from '../../kernel/approvals/act.ts'
import { type Outcome, submitForApproval } from '../../kernel/approvals/submit.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { idOf } from '../../kernel/fields/check-record.ts'
import { userInRules } from '../../kernel/fields/record-in-rules.ts'
import { wireValues } from '../../kernel/model/stored.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { APPROVAL, isOpen } from './approval-state.ts'
import { refreshReturn } from './owner-change.ts'
import { findOwnRecord, type StoredRecord, wireRecords } from './record.ts'

/** Submits a record for approval: by its owner or author, if it is a draft, rejected or withdrawn. */
export async function submitRecord(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { approval } = module
  if (approval === undefined) refuse(404, 'NOT_FOUND', text('own.not-approved'))
  const found = await findOwnRecord(module, idOf(body), ctx, true)
  const me = ctx.caller.userId
  if (found.owner_id !== me && found.created_by !== me)
    refuse(405, 'NO_PERMISSION', text('own.not-yours'), { detail: `${ownRights(module.name)}:edit` })
  if (!isOpen(found)) refuseState(found)
  const values = wireValues(found.ext, module.fields)
  const scope = { form: values, params: {}, user: userInRules(ctx.caller), dict: {}, data: {} }
  await submitForApproval(
    {
      entity: ownRights(module.name),
      recordId: found.id,
      title: found.title,
      amount: module.amount === undefined ? 0 : Number(values[module.amount] ?? 0),
      isBelowMin: approval.beyond !== undefined && isTruthy(applyRule(approval.beyond, scope)),
      ownerId: found.owner_id ?? found.created_by ?? me,
    },
    settleRecord,
    ctx,
  )
  return stateOf(module, found.id, ctx)
}

/** The submitter withdraws a record. */
export async function withdrawRecord(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { id } = await findOwnRecord(module, idOf(body), ctx, true)
  await withdraw(ownRights(module.name), id, { settle: settleRecord }, ctx)
  return stateOf(module, id, ctx)
}

/** Locks the record of an approval. */
export async function lockRecord(
  id: string,
  { trx, caller }: CallContext,
): Promise<{ readonly ownerId: string }> {
  const { rows } = await sql<{
    owner: string | null
  }>`select coalesce(owner_id, created_by) as owner from record
    where tenant_id = ${caller.tenantId} and id = ${id} and deleted_at is null for update`.execute(trx)
  const [found] = rows
  return found === undefined
    ? refuse(404, 'NOT_FOUND', text('own.not-found'))
    : { ownerId: found.owner ?? '' }
}

/** The effect of a finished approval on its record. */
export async function settleRecord(id: string, outcome: Outcome, ctx: CallContext): Promise<void> {
  await updateRow('record', id, { approval_status: APPROVAL[outcome] }, ctx)
  const { trx, caller, model } = ctx
  const { rows } = await sql<{ module: string }>`select module from record
    where tenant_id = ${caller.tenantId} and id = ${id}`.execute(trx)
  const module = model.modules.get(rows[0]?.module ?? '')
  if (module !== undefined) await refreshReturn(module, id, ctx)
}

/** @throws Refusal 409, always */
export function refuseState({ approval_status }: Pick<StoredRecord, 'approval_status'>): never {
  refuse(409, 'STATE_CONFLICT', text(approval_status === APPROVAL.running ? 'own.waiting' : 'own.decided'))
}

async function stateOf(module: MergedModule, id: string, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findOwnRecord(module, id, ctx)
  const [record = null] = await wireRecords(module, [found], ctx)
  return { data: { id, version: found.version, record }, recordId: id }
}
