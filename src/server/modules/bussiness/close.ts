import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { labelOf } from '../../kernel/fields/dict-label.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import { checkHoldingCap, lockPeople } from '../../kernel/pools/person-cap.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { checkDescribed, labelOfField } from '../../kernel/records/described.ts'
import { type FoundRecord, findRecord, findToChange, notYours } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { refreshExpiry as refreshCustomer } from '../customers/holding.ts'
import { afterEnd } from './ended.ts'
import { flowOf } from './flows.ts'
import { findOpen, refuseMissing, stageAnswer, stepColumns } from './stage.ts'

/** The ways to close an opportunity (DOMAIN 1.5): the status and stage they set, the dictionary of their reasons, and the further fields they ask for. */
const ENDS = {
  win: {
    status: 2,
    stage: 'won',
    winRate: 100,
    event: 'bussiness.won',
    reasons: null,
    asks: ['closedAt', 'amount', 'remark'],
  },
  lose: {
    status: 3,
    stage: 'lost',
    winRate: 0,
    event: 'bussiness.lost',
    reasons: 'lose_reason',
    asks: ['reason', 'remark', 'competitor', 'closedAt'],
  },
  invalid: {
    status: 4,
    stage: 'invalid',
    winRate: 0,
    event: 'bussiness.lost',
    reasons: 'invalid_reason',
    asks: ['reason', 'remark'],
  },
} as const

/** The fields a close may ask for: amount, time and reason, which are then stored in the opportunity. */
function requiredFieldsOf({ reasons, asks }: (typeof ENDS)[Ending], ctx: CallContext): readonly Field[] {
  const named = (name: string) => labelOfField('bussiness', name, ctx)
  const fields: readonly Field[] = [
    { name: 'closedAt', kind: 'moment', label: named('closed_at') },
    { name: 'amount', kind: 'money', min: 0, label: named('amount') },
    { name: 'remark', kind: 'long-text', max: 500, label: text('bussiness.field.lose_remark') },
    { name: 'competitor', kind: 'text', max: 40, label: text('bussiness.field.win_competitor') },
    ...(reasons === null
      ? []
      : [
          {
            name: 'reason',
            kind: 'choice',
            dict: reasons,
            label: reasons === 'lose_reason' ? named('lose_reason') : text('bussiness.field.invalid_reason'),
            required: true,
          } as const,
        ]),
  ]
  return fields.filter(({ name }) => asks.some((one) => one === name))
}

/** How an opportunity is closed. */
export type Ending = keyof typeof ENDS

/** 赢单, 输单, 无效. The last stage is kept for the analysis; the open to-dos are closed. @param body `id`, `closedAt`, `reason`, `remark`, … */
export async function close(ending: Ending, body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { id: given, ...rest } = body
  const id = String(given ?? '')
  const end = ENDS[ending]
  const found = await findOpen(id, ctx)
  const { values, faults } = await checkDescribed(rest, requiredFieldsOf(end, ctx), ctx)
  refuseFaults(faults)
  const ends = (await flowOf(found.flow_id, ctx)).ends
  const requiredFields = ends.find(({ id: stage }) => stage === end.stage)?.required ?? []
  refuseMissing(requiredFields, { ...found, ...values }, ctx)
  await updateRow('bussiness', id, endColumns(ending, found, values, ctx), ctx)
  const amount = typeof values.amount === 'number' ? values.amount : Number(found.amount)
  const moved = { id, name: found.name, owner_id: found.owner_id, customer_id: String(found.customer_id) }
  const params =
    end.reasons === null ? { amount } : { reason: await labelOf(end.reasons, String(values.reason), ctx) }
  await afterEnd(moved, { event: end.event, isDone: ending !== 'win' }, params, ctx)
  return { ...(await stageAnswer(id, ctx)), detail: { how: ending, from: String(found.stage_id) } }
}

function endColumns(ending: Ending, found: FoundRecord, values: InputValues, ctx: CallContext) {
  const end = ENDS[ending]
  const amount = typeof values.amount === 'number' ? values.amount : Number(found.amount)
  if (ending === 'win' && amount <= 0)
    refuse(400, 'VALIDATION', text('bussiness.win-amount'), {
      fields: { amount: text('bussiness.win-amount') },
    })
  const closedAt = values.closedAt instanceof Date ? values.closedAt : ctx.now
  if (closedAt > ctx.now)
    refuse(400, 'VALIDATION', text('bussiness.closed-future'), {
      fields: { closedAt: text('bussiness.closed-future') },
    })
  const remark = typeof values.remark === 'string' ? values.remark : null
  return {
    ...stepColumns(found, end.stage, remark, ctx),
    last_stage_id: String(found.stage_id),
    status: end.status,
    win_rate: end.winRate,
    closed_at: closedAt,
    next_follow_at: null,
    lose_reason: values.reason ?? null,
    lose_remark: remark,
    win_competitor: values.competitor ?? null,
    ...(ending === 'win' && typeof values.amount === 'number' ? { amount } : {}),
  }
}

const REOPEN_DAYS = 30

/** 重启: back to the last open stage. Who has the right to reopen may do so at any time, the owner within 30 days (DOMAIN 1.5). */
export async function reopen(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const id = String(body.id ?? '')
  const owner = (await findRecord('bussiness', id, ctx)).owner_id ?? ''
  await lockPeople(trx, caller.tenantId, [owner])
  const found = await findToChange('bussiness', id, ctx)
  if (found.status === 1) refuse(409, 'STATE_CONFLICT', text('bussiness.open'))
  const isSuperior = caller.permissions.has('bussiness:reopen') && found.in_scope
  const closedAt = found.closed_at instanceof Date ? found.closed_at.getTime() : 0
  const isLate = now.getTime() - closedAt > REOPEN_DAYS * 86_400_000
  if (!isSuperior && found.owner_id !== caller.userId)
    await notYours('bussiness', found, 'bussiness:reopen', ctx)
  if (!isSuperior && isLate) refuse(405, 'NO_PERMISSION', text('record.reopen-days', { days: REOPEN_DAYS }))
  await checkHoldingCap('bussiness', owner, 1, ctx)
  const flow = await flowOf(found.flow_id, ctx)
  const stage = flow.stages.find((it) => it.id === found.last_stage_id) ?? flow.stages[0]
  await updateRow(
    'bussiness',
    id,
    {
      ...stepColumns(found, stage?.id ?? '', null, ctx),
      status: 1,
      win_rate: stage?.winRate ?? 0,
      last_stage_id: null,
      closed_at: null,
      lose_reason: null,
      lose_remark: null,
      win_competitor: null,
      reopen_times: Number(found.reopen_times ?? 0) + 1,
    },
    ctx,
  )
  await refreshExpiry('bussiness', [id], { trx, tenantId: caller.tenantId })
  await refreshCustomer(ctx, String(found.customer_id))
  return stageAnswer(id, ctx)
}
