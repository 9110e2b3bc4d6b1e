import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalFlow, ApproverRule } from '../../../contract/approval.ts'
import { type ConditionItems, conditionForm, conditionsOfForm } from './flow-conditions.ts'

/** A flow in its form's shape: the person or role of a step is in `role` or `user`, conditions as they are offered. */
export function flowForm(flow: ApprovalFlow, offered: ConditionItems): JsonObject {
  const named = (rule: ApproverRule): JsonObject => ({
    ...(rule as unknown as JsonObject),
    role: rule.kind === 'role' ? (rule.value ?? '') : '',
    user: rule.kind === 'user' ? (rule.value ?? '') : '',
  })
  return {
    enabled: flow.enabled,
    allow_self: flow.allow_self,
    steps: flow.steps.map((step) => ({
      ...named(step),
      min_amount: step.min_amount ?? null,
      below_min: step.below_min ?? false,
      ...conditionForm(step, offered),
    })),
    cc: flow.cc.map(named),
  }
}

/** Steps from the form; conditions given directly in a step are unchanged. */
export function stepsOfForm(steps: Json | undefined): Json | undefined {
  const rules = rulesOfForm(steps)
  if (!Array.isArray(rules)) return rules
  return rules.map((rule) => {
    if (!isObject(rule) || rule.values === undefined) return rule
    const { values, from_field = null, compare = null, from = null, ...rest } = rule
    return { ...rest, when: conditionsOfForm({ values, from_field, compare, from }) as unknown as Json }
  })
}

/** Rules from the form; a rule with its own `value` is unchanged. */
export function rulesOfForm(rules: Json | undefined): Json | undefined {
  if (!Array.isArray(rules)) return rules
  return rules.map((rule) => {
    if (!isObject(rule) || (rule.role === undefined && rule.user === undefined)) return rule
    const { role, user, ...rest } = rule
    if (rest.kind === 'role') return { ...rest, value: role ?? null }
    return rest.kind === 'user' ? { ...rest, value: user ?? null } : { ...rest, value: null }
  })
}
