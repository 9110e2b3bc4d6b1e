import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import { applyChange, type Changeable, checkedChange } from '../../kernel/records/change-record.ts'
import { fieldsNamed, writtenFields } from '../../kernel/records/described.ts'
import { findToChange } from '../../kernel/records/find-record.ts'
import { text } from '../../kernel/text/text.ts'
import { BUSSINESS_CHANGE } from '../bussiness/change-bussiness.ts'
import { moveStage } from '../bussiness/stage.ts'
import { CUSTOMER_CHANGE } from '../customers/change-customer.ts'
import { LEAD_CHANGE } from '../leads/change-lead.ts'
import { setLeadStatus } from '../leads/status.ts'
import type { ResolvedTarget } from './target.ts'

/**
 * "同时变更" (DOMAIN 1.10): changes stage, level or status of the record of the follow-up, with the rights and checks of an edit.
 * @returns whether there was anything to change
 */
export async function changeWithFollow(
  values: InputValues,
  target: ResolvedTarget,
  ctx: CallContext,
): Promise<boolean> {
  const change = values.stage_change
  if (!isObject(change) || Object.keys(change).length === 0) return false
  if (target.bussiness_id !== null) await changeBussiness(target.bussiness_id, change, ctx)
  else if (target.lead_id !== null) await changeLead(target.lead_id, change, ctx)
  else {
    if (target.customer_id === null) refuseFaults({ stage_change: text('follow.stage') })
    await changeFields(CUSTOMER_CHANGE, target.customer_id ?? '', change, ['stage', 'level'], ctx)
  }
  return true
}

async function changeLead(id: string, { status, ...rest }: JsonObject, ctx: CallContext): Promise<void> {
  await changeFields(LEAD_CHANGE, id, rest, ['level'], ctx)
  if (status !== undefined) await setLeadStatus(id, status, ctx)
}

async function changeBussiness(
  id: string,
  { stage_id, reason, ...rest }: JsonObject,
  ctx: CallContext,
): Promise<void> {
  await changeFields(BUSSINESS_CHANGE, id, rest, ['next_step', 'expected_date'], ctx)
  if (stage_id !== undefined) await moveStage({ id, stageId: stage_id, reason: reason ?? null }, ctx)
}

async function changeFields(
  kind: Changeable,
  id: string,
  change: JsonObject,
  names: readonly string[],
  ctx: CallContext,
): Promise<void> {
  const found = await findToChange(kind.entity, id, ctx)
  const fields = fieldsNamed(writtenFields(kind.entity, ctx), names)
  await applyChange(kind, found, await checkedChange(kind, found, change, ctx, { fields }), ctx)
}
