import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { checkDescribed, labelOfField } from '../../kernel/records/described.ts'
import { findRecord, findToChange, notYours, wireRecord } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { silenceTodosOf } from '../todos/close-todos.ts'

/** Status changes of a lead by hand (DOMAIN 1.4). 40 is set by the conversion, 50 by its own call. */
const BY_HAND: Readonly<Record<number, readonly number[]>> = { 10: [20, 30], 20: [30], 30: [20] }
const REACTIVATE_DAYS = 30

/** Sets the status of a lead to 待跟进, 跟进中 or 有意向. */
export async function setLeadStatus(id: string, status: Json, ctx: CallContext): Promise<void> {
  const found = await findToChange('lead', id, ctx)
  const to = Number(status)
  if (found.status === to) return
  if (!BY_HAND[Number(found.status)]?.includes(to)) refuse(409, 'STATE_CONFLICT', text('lead.status'))
  await updateRow('lead', id, { status: to }, ctx)
}

/** The field that 标为无效 asks for. */
const reasonField = (ctx: CallContext): readonly Field[] => [
  {
    name: 'reason',
    kind: 'choice',
    dict: 'lead_invalid_reason',
    label: labelOfField('lead', 'invalid_reason', ctx),
    required: true,
  },
]

/** 标为无效 with a reason (DOMAIN 1.4). Its reminders are cancelled. @param body `ids`, `reason` */
export async function invalidate(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const input = { reason: body.reason ?? null }
  const { values, faults } = await checkDescribed(input, reasonField(ctx), ctx)
  refuseFaults(faults)
  const ids = idsOf(body)
  const data = await eachRecord(
    ids,
    async (id) => {
      const found = await findToChange('lead', id, ctx)
      if (found.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'))
      if (found.status === 50) refuse(409, 'STATE_CONFLICT', text('lead.invalid'))
      const columns = { status: 50, invalid_reason: values.reason, next_follow_at: null }
      await updateRow('lead', id, { ...columns, invalid_at: ctx.now }, ctx)
      await silenceTodosOf('lead', id, ctx)
      await refreshExpiry('lead', [id], { trx, tenantId: caller.tenantId })
    },
    trx,
  )
  const [first] = ids
  return { data, detail: body, ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}) }
}

/** 重新激活: by a superior at any time, by the owner within 30 days. The new status is 跟进中 (DOMAIN 1.4). */
export async function reactivate(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const found = await findToChange('lead', String(body.id ?? ''), ctx)
  if (found.status !== 50) refuse(409, 'STATE_CONFLICT', text('lead.not-invalid'))
  if (!found.in_scope) await notYours('lead', found, 'lead:invalid', ctx)
  const since = found.invalid_at instanceof Date ? found.invalid_at.getTime() : 0
  const isLate = now.getTime() - since > REACTIVATE_DAYS * 86_400_000
  if (found.owner_id === caller.userId && isLate)
    refuse(405, 'NO_PERMISSION', text('record.reopen-days', { days: REACTIVATE_DAYS }))
  const columns = { status: 20, invalid_reason: null, invalid_at: null }
  await updateRow('lead', found.id, columns, ctx)
  await refreshExpiry('lead', [found.id], { trx, tenantId: caller.tenantId })
  const after = await findRecord('lead', found.id, ctx)
  return {
    data: { id: found.id, version: after.version, record: wireRecord('lead', after, ctx) },
    recordId: found.id,
  }
}
