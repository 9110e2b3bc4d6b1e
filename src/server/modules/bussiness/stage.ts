import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { BussinessFlow, StageStep } from '../../../contract/bussiness.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { reasonOf } from '../../kernel/fields/check-record.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { applyChange, checkedChange } from '../../kernel/records/change-record.ts'
import { labelOfField } from '../../kernel/records/described.ts'
import { type FoundRecord, findRecord, findToChange, wireRecord } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { BUSSINESS_CHANGE } from './change-bussiness.ts'
import { notifyOfBussiness } from './ended.ts'
import { flowOf, offered } from './flows.ts'

const DAY_MS = 86_400_000

/**
 * POST /mini/bussiness/stage: moves forward, over several stages if all their required fields are filled; or back, with a reason, if the flow allows
 * it (DOMAIN 1.5).
 * @param body  `id`, `stageId`, `reason`, `fields` to fill in at the same time
 */
export async function moveStage(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const id = String(body.id ?? '')
  const before = await findOpen(id, ctx)
  if (isObject(body.fields) && Object.keys(body.fields).length > 0)
    await applyChange(
      BUSSINESS_CHANGE,
      before,
      await checkedChange(BUSSINESS_CHANGE, before, body.fields, ctx),
      ctx,
    )
  const found = await findRecord('bussiness', id, ctx)
  const flow = offered(await flowOf(found.flow_id, ctx), found.stage_id)
  const from = flow.stages.findIndex((stage) => stage.id === found.stage_id)
  const to = flow.stages.findIndex((stage) => stage.id === body.stageId)
  const stage = flow.stages[to]
  if (stage === undefined) refuse(400, 'VALIDATION', text('bussiness.stage-unknown'), { detail: 'stageId' })
  const reason = reasonOf(body)
  if (to === from) return stageAnswer(id, ctx)
  if (to < from) refuseBack(flow, reason)
  // Every stage that is left or skipped must have its required fields.
  else
    refuseMissing(
      flow.stages.slice(Math.max(from, 0), to).flatMap(({ required }) => required),
      found,
      ctx,
    )
  await updateRow(
    'bussiness',
    id,
    { ...stepColumns(found, stage.id, reason, ctx), win_rate: stage.winRate },
    ctx,
  )
  await refreshExpiry('bussiness', [id], { trx: ctx.trx, tenantId: ctx.caller.tenantId })
  const moved = { id, name: found.name, owner_id: found.owner_id, customer_id: String(found.customer_id) }
  await notifyOfBussiness(moved, 'bussiness.stage', { stage: stage.name }, ctx)
  return {
    ...(await stageAnswer(id, ctx)),
    detail: { from: String(found.stage_id), to: stage.id, reason },
  }
}

/** An open opportunity that the caller may change; 409 if it is closed. */
export async function findOpen(id: string, ctx: CallContext): Promise<FoundRecord> {
  const found = await findToChange('bussiness', id, ctx)
  if (found.status !== 1) refuse(409, 'STATE_CONFLICT', text('bussiness.closed'))
  return found
}

/** The answer of every call that changes the stage or status of an opportunity. */
export async function stageAnswer(id: string, ctx: CallContext): Promise<WriteResult<Json>> {
  const found = await findRecord('bussiness', id, ctx)
  return {
    data: { id, version: found.version, record: wireRecord('bussiness', found, ctx) },
    recordId: id,
  }
}

/** The columns that a move to another stage sets, including its history. */
export function stepColumns(
  found: FoundRecord,
  to: string,
  remark: string | null,
  { caller, now }: CallContext,
) {
  const since = found.stage_since instanceof Date ? found.stage_since : now
  const step: StageStep = {
    from: String(found.stage_id),
    to,
    by: caller.userId,
    at: now.toISOString(),
    days: Math.floor((now.getTime() - since.getTime()) / DAY_MS),
    remark,
  }
  const history = Array.isArray(found.stage_history) ? found.stage_history : []
  return { stage_id: to, stage_since: now, stage_history: json([...history, step] as unknown as Json) }
}

function refuseBack(flow: BussinessFlow, reason: string | null): void {
  if (!flow.allowBack) refuse(409, 'STATE_CONFLICT', text('bussiness.no-back'))
  if (reason === null)
    refuse(400, 'VALIDATION', text('bussiness.back-reason'), {
      fields: { reason: text('bussiness.back-reason') },
    })
}

/** Refuses with a message per required field that is empty; a number must be above 0. */
export function refuseMissing(
  requiredFields: readonly string[],
  found: Readonly<Record<string, unknown>>,
  ctx: CallContext,
): void {
  const missing = [...new Set(requiredFields)].filter((field) => isEmpty(found[field]))
  if (missing.length === 0) return
  const labelOf = (field: string) => labelOfField('bussiness', field, ctx)
  const fields = Object.fromEntries(
    missing.map((field) => [field, text('record.required', { label: labelOf(field) })]),
  )
  refuse(400, 'VALIDATION', text('bussiness.unfilled', { fields: missing.map(labelOf).join('、') }), {
    fields,
  })
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === 0) return true
  return Array.isArray(value) && value.length === 0
}
