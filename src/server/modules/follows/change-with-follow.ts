import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
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
  asking: Asking,
): Promise<boolean> {
  const change = values.stage_change
  if (!isObject(change) || Object.keys(change).length === 0) return false
  if (target.bussiness_id !== null) await changeBussiness(target.bussiness_id, change, asking)
  else if (target.lead_id !== null) await changeLead(target.lead_id, change, asking)
  else {
    if (target.customer_id === null) refuseFaults({ stage_change: text('follow.stage') })
    await changeFields(CUSTOMER_CHANGE, target.customer_id ?? '', change, ['stage', 'level'], asking)
  }
  return true
}

async function changeLead(id: string, { status, ...rest }: JsonObject, asking: Asking): Promise<void> {
  await changeFields(LEAD_CHANGE, id, rest, ['level'], asking)
  if (status !== undefined) await setLeadStatus(id, status, asking)
}

async function changeBussiness(
  id: string,
  { stage_id, reason, ...rest }: JsonObject,
  asking: Asking,
): Promise<void> {
  await changeFields(BUSSINESS_CHANGE, id, rest, ['next_step', 'expected_date'], asking)
  if (stage_id !== undefined) await moveStage({ id, stageId: stage_id, reason: reason ?? null }, asking)
}

async function changeFields(
  kind: Changeable,
  id: string,
  change: JsonObject,
  names: readonly string[],
  asking: Asking,
): Promise<void> {
  const found = await findToChange(kind.entity, id, asking)
  const fields = fieldsNamed(writtenFields(kind.entity, asking), names)
  await applyChange(kind, found, await checkedChange(kind, found, change, asking, { fields }), asking)
}
