import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { withdraw } from '../../kernel/approvals/act.ts'
import { notify } from '../../kernel/approvals/announce.ts'
import { submitForApproval } from '../../kernel/approvals/submit.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { writtenColumns } from '../../kernel/records/checked-write.ts'
import { numberFor } from '../../kernel/records/chosen-number.ts'
import { labelOfField } from '../../kernel/records/described.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, isBeyondDays, parseWallTime, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { changeContractOwner } from './change-owner.ts'
import { recordDealEvent } from './deal-event.ts'
import {
  type FoundContract,
  findContract,
  findDeal,
  isEffective,
  isOpen,
  refuseState,
  requireWrite,
} from './find-contract.ts'
import { lockRevised, settleContract, voidContract } from './settle-contract.ts'
import { refreshTotals } from './totals.ts'
import { answerOf } from './write-contract.ts'

/** Submits a contract for approval (DOMAIN 1.6): by its owner or author, in status draft, rejected or withdrawn. */
export async function submitContract(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findDeal(idOf(body), ctx)
  const me = ctx.caller.userId
  if (found.owner_id !== me && found.created_by !== me)
    refuse(405, 'NO_PERMISSION', text('contract.not-owner'), { detail: 'contract:submit' })
  if (!isOpen(found)) refuseState(found.approval_status)
  if (found.revision_of !== null) await lockRevised(found, ctx)
  const { id, name, amount, below_min, owner_id } = found
  await submitForApproval(
    { entity: 'contract', recordId: id, title: name, amount, isBelowMin: below_min, ownerId: owner_id },
    settleContract,
    ctx,
  )
  return answerOf(id, ctx, {})
}

/** The submitter withdraws a contract. */
export async function withdrawContract(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { id } = await findDeal(idOf(body), ctx)
  await withdraw('contract', id, { settle: settleContract }, ctx)
  return answerOf(id, ctx, {})
}

/** Voids a contract; the reason is required. */
export async function cancelContract(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findDeal(idOf(body), ctx)
  if (!found.in_scope) await notYours('contract', found, 'contract:void', ctx)
  const reason = reasonOf(body)
  if (reason === null) refuseFaults({ reason: text('record.required', { label: text('record.reason') }) })
  else await voidContract(found.id, reason, ctx)
  const { id, name: title, amount, owner_id } = found
  await notify(
    {
      event: 'contract.void',
      entity: 'contract',
      recordId: id,
      approvalId: null,
      title,
      amount,
      receiverIds: [owner_id],
      opinion: reason,
    },
    ctx,
  )
  return answerOf(id, ctx, { reason })
}

/** Begins a revision: a draft with a copy of the contract, which it replaces once it is approved. */
export async function changeContract(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findDeal(idOf(body), ctx)
  await requireWrite(found, ctx)
  if (!isEffective(found)) refuseState(found.approval_status)
  const reason = reasonOf(body)
  const revision_no = found.revision_no + 1
  const base = found.contract_no.replace(/-R\d+$/, '')
  const id = await copyContract(
    found,
    {
      contract_no: `${base.slice(0, 34)}-R${revision_no}`,
      revision_of: found.id,
      revision_no,
      sign_date: dayText(wallTimeOf(ctx.now, ctx.zone)),
      owner_id: found.owner_id,
      owner_dept_id: found.owner_dept_id,
      remark: reason ?? found.remark,
    },
    ctx,
  )
  if (id === null) refuse(409, 'STATE_CONFLICT', text('contract.revision-open'))
  return answerOf(id, ctx, { revision_of: found.id, reason })
}

/** Creates a renewal draft (续签): a copy with type 续签, its own number and owner. */
export async function renewContract(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findContract(idOf(body), ctx)
  if (!found.in_scope && !found.can_write) await notYours('contract', found, 'contract:add', ctx)
  if (!isEffective(found)) refuseState(found.approval_status)
  const id = await copyContract(
    found,
    {
      contract_no: await numberFor('contract', null, ctx),
      revision_no: 0,
      type: 'renewal',
      sign_date: dayText(wallTimeOf(ctx.now, ctx.zone)),
      start_date: dayAfter(found.end_date),
      end_date: null,
      bussiness_id: null,
      owner_id: found.owner_id,
      owner_dept_id: found.owner_dept_id,
    },
    ctx,
  )
  return answerOf(id ?? '', ctx, { renewal_of: found.id })
}

/** Sets the performance status by hand: 2 finished, 3 terminated; 1 lets dates and payments decide again. */
export async function performContract(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findDeal(idOf(body), ctx)
  await requireWrite(found, ctx)
  if (!isEffective(found)) refuseState(found.approval_status)
  const { status } = body
  if (status !== 1 && status !== 2 && status !== 3)
    refuseFaults({
      status: text('record.not-offered', { label: labelOfField('contract', 'perform_status', ctx) }),
    })
  const reason = reasonOf(body)
  const byHand = status !== 1
  await updateRow('contract', found.id, { perform_status: status, performed_by_hand: byHand }, ctx)
  await refreshTotals(found.customer_id, [found.id], ctx)
  if (byHand)
    await recordDealEvent(
      {
        kind: 'contract_performed',
        customerId: found.customer_id,
        contractId: found.id,
        amount: found.amount,
        reason,
      },
      ctx,
    )
  return answerOf(found.id, ctx, { status: status ?? null, reason })
}

/** Copies the written fields of a contract, including own fields, into a new draft. @returns null if a unique index refuses the copy */
async function copyContract(
  found: FoundContract,
  columns: Readonly<Record<string, unknown>>,
  ctx: CallContext,
): Promise<string | null> {
  const id = newId(ctx.now.getTime())
  const stored = await insertRow(
    'contract',
    {
      ...writtenColumns('contract', found, ctx),
      id,
      stat_amount: found.amount,
      amount_overridden: found.amount_overridden,
      below_min: found.below_min,
      ...columns,
    },
    ctx,
  )
  return stored ? id : null
}

function dayAfter(day: string | null): string | null {
  const wall = day === null ? null : parseWallTime(day)
  const next = wall === null ? null : startOfDay(wall, 1)
  return next === null || isBeyondDays(next) ? null : dayText(next)
}

/** Transfers a contract, with its revisions and payments, to a colleague. Its states and history stay (DOMAIN 1.1.6, 8.4). */
export async function transferContract(id: string, ctx: CallContext, body: JsonObject): Promise<void> {
  const { trx, caller } = ctx
  const found = await findDeal(id, ctx)
  if (!found.in_scope) await notYours('contract', found, 'contract:transfer', ctx)
  const { toUserId, keepOld = 'none' } = body
  const { rows } = await sql<{ dept_id: string | null }>`select dept_id from membership
    where tenant_id = ${caller.tenantId} and user_id = ${String(toUserId)} and status = 'enabled'
      and deleted_at is null`.execute(trx)
  const [receiver] = rows
  if (typeof toUserId !== 'string' || receiver === undefined || toUserId === found.owner_id)
    refuse(400, 'VALIDATION', text('approval.person'), { fields: { toUserId: text('approval.person') } })
  if (keepOld !== 'none' && keepOld !== 'read' && keepOld !== 'write')
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'keepOld' })
  const to = { user_id: toUserId, dept_id: receiver.dept_id }
  await changeContractOwner([id], { from: found.owner_id, to, keepOld }, ctx)
  await recordDealEvent(
    { kind: 'contract_transferred', customerId: found.customer_id, contractId: id, amount: found.amount },
    ctx,
  )
}
