import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { reasonOf } from '../../kernel/fields/check-record.ts'
import { findRecord, findToChange, noPermission, wireRecord } from '../../kernel/records/find-record.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { refuseTwin } from './change-contact.ts'
import { lockCustomer } from './create-contact.ts'
import { choosePrimary, makePrimary } from './primary.ts'

/** 设为首要: makes a contact the primary one; it must be active. */
export async function setPrimary(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findToChange('contact', String(body.id ?? ''), ctx)
  if (found.status !== 'active') refuse(409, 'STATE_CONFLICT', text('contact.left'))
  await makePrimary(String(found.customer_id), found.id, ctx)
  await updateRow('contact', found.id, {}, ctx)
  return written(found.id, ctx)
}

/** 离职: the contact is no longer offered in pickers and stays in the history. Needs a reason. `status: "active"` undoes it. */
export async function leave(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findToChange('contact', String(body.id ?? ''), ctx)
  const isBack = body.status === 'active'
  const reason = reasonOf(body)
  if (!isBack && reason === null)
    refuse(400, 'VALIDATION', text('contact.leave-reason'), {
      fields: { reason: text('contact.leave-reason') },
    })
  await updateRow(
    'contact',
    found.id,
    isBack
      ? { status: 'active', leave_reason: null }
      : { status: 'left', leave_reason: reason, is_primary: false },
    ctx,
  )
  await choosePrimary(String(found.customer_id), ctx)
  return written(found.id, ctx)
}

/** 转移到其他客户: the caller must be allowed to write both customers. @param body `id`, `customerId` */
export async function moveContact(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const found = await findToChange('contact', String(body.id ?? ''), ctx)
  const target = String(body.customerId ?? '')
  const source = String(found.customer_id)
  await lockCustomer(target, ctx)
  await refuseTwin(target, found, found.id, ctx)
  await updateRow('contact', found.id, { customer_id: target, is_primary: false, report_to_id: null }, ctx)
  await sql`update contact set report_to_id = null where tenant_id = ${caller.tenantId}
    and report_to_id = ${found.id}`.execute(trx)
  await choosePrimary(source, ctx)
  await choosePrimary(target, ctx)
  return { ...(await written(found.id, ctx)), detail: { from: source, to: target } }
}

/** Moves a contact to the recycle bin; refused if it has signed a contract (DOMAIN 1.16). */
export async function removeContact(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const found = await findToChange('contact', id, ctx)
  if (!caller.permissions.has('contact:del')) noPermission('contact:del')
  const { rows } = await sql`select 1 from contract where tenant_id = ${caller.tenantId}
    and customer_signer_id = ${id} and deleted_at is null limit 1`.execute(trx)
  if (rows.length > 0) refuse(422, 'REFERENCED', text('contact.signer'))
  await updateRow('contact', id, { deleted_at: now, is_primary: false }, ctx)
  await choosePrimary(String(found.customer_id), ctx)
}

/** Restores a contact whose customer exists and which the caller may write. */
export async function restoreContact(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ customer_id: string; name: string; mobile: string | null }>`
    select customer_id, name, mobile from contact where tenant_id = ${caller.tenantId} and id = ${id}
      and deleted_at >= ${oldestMark(ctx)} for update`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('customer.not-deleted'))
  await lockCustomer(found.customer_id, ctx)
  await refuseTwin(found.customer_id, found, id, ctx)
  await updateRow('contact', id, { deleted_at: null }, ctx)
  await choosePrimary(found.customer_id, ctx)
}

async function written(id: string, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findRecord('contact', id, ctx)
  return { data: { id, version: found.version, record: wireRecord('contact', found, ctx) }, recordId: id }
}
