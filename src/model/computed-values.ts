import { createBudget, spending } from '../../runtime/core/budget.ts'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { applyRule, dependenciesOf } from '../../runtime/core/logic/rule.ts'
import type { Field, KindName, Rule } from './description.ts'

/** A value that a rule makes of the record it belongs to; named as pages name it. */
export interface ComputedValue {
  readonly name: string
  readonly rule: Rule
}

/** The rule that a field's default is worked out by; undefined where it is a value, or none. */
export const defaultRule = ({ default: usual }: Pick<Field, 'default'>): Rule | undefined =>
  isObject(usual) && isObject(usual.rule) ? usual.rule : undefined

/** The rules of a field, each with its place. */
export function rulesOf(field: Field): readonly { readonly at: string; readonly rule: Rule }[] {
  const usual = defaultRule(field)
  return [
    ...(isObject(field.required) ? [{ at: 'required', rule: field.required }] : []),
    ...(usual === undefined ? [] : [{ at: 'default/rule', rule: usual }]),
    ...(isObject(field.formula) ? [{ at: 'formula', rule: field.formula }] : []),
    ...(isObject(field.worked) ? [{ at: 'worked', rule: field.worked }] : []),
  ]
}

const DECIMALS = 2

/** The rule that a formula is worked out by, here and on the form: a number is rounded to its digits. */
export function formulaRule({ formula, result, decimals = DECIMALS }: Field): Rule | undefined {
  if (formula === undefined) return undefined
  return result === 'number' ? { round: [formula, decimals] } : formula
}

/** The rule that a stored value follows from, rounded as its kind holds numbers. */
export function computedRule({ worked, kind, decimals }: Field): Rule | undefined {
  if (worked === undefined || !Object.hasOwn(DIGITS, kind)) return worked
  return { round: [worked, decimals ?? DIGITS[kind] ?? DECIMALS] }
}
const DIGITS: Readonly<Partial<Record<KindName, number>>> = { money: 2, number: 2, percent: 2, integer: 0 }

/** What the values of a record are, with those that rules make of it: each after those it reads, which may be others of them. */
export function computeValues(
  worked: readonly ComputedValue[],
  values: JsonObject,
  user: JsonObject = {},
): JsonObject {
  if (worked.length === 0) return values
  const form: Record<string, Json> = { ...(values as Record<string, Json>) }
  const scope = { form, params: {}, user, dict: {}, data: {} }
  // Rules are a tenant's own: all of one record share what one turn of a page may take; those beyond are empty.
  spending(createBudget(), () => {
    for (const { name, rule } of inReadingOrder(worked)) form[name] = applyRule(rule, scope)
  })
  return form
}

const orders = new WeakMap<readonly ComputedValue[], readonly ComputedValue[]>()

/** Each behind those that it reads. */
function inReadingOrder(worked: readonly ComputedValue[]): readonly ComputedValue[] {
  const order = orders.get(worked) ?? ordered(worked).order
  orders.set(worked, order)
  return order
}

/** Names of values that wait for each other, in a ring; null where none do. */
export const cycleOf = (worked: readonly ComputedValue[]): readonly string[] | null => ordered(worked).ring

function ordered(worked: readonly ComputedValue[]): {
  readonly order: readonly ComputedValue[]
  readonly ring: readonly string[] | null
} {
  const byPath = new Map(worked.map((one) => [`form.${one.name}`, one]))
  const order = new Set<ComputedValue>()
  const path: ComputedValue[] = []
  let ring: readonly string[] | null = null
  const visit = (one: ComputedValue): void => {
    if (order.has(one)) return
    const at = path.indexOf(one)
    if (at >= 0) {
      ring ??= [...path.slice(at), one].map(({ name }) => name)
      return
    }
    path.push(one)
    for (const read of dependenciesOf(one.rule)) {
      const other = byPath.get(read)
      if (other !== undefined) visit(other)
    }
    path.pop()
    order.add(one)
  }
  for (const one of worked) visit(one)
  return { order: [...order], ring }
}
