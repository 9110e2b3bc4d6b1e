import type { JsonObject } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import type { PageSettings } from '../../../runtime/core/page/page.ts'

/** The permission a page requires with these parameters (PAGE-FORMAT, permission): '' for none, null if nobody may open it with them. */
export function requiredRight(settings: PageSettings, user: JsonObject, params: JsonObject): string | null {
  const { permission = '' } = settings
  if (typeof permission === 'string') return permission
  const scope = { form: {}, params, user, dict: {}, data: {} }
  const right = permission.find((one) => one.if === undefined || isTruthy(applyRule(one.if, scope)))
  return typeof right?.permission === 'string' ? right.permission : null
}
