import type { JsonObject } from '../../../../runtime/core/json.ts'
import { dependenciesOf } from '../../../../runtime/core/logic/rule.ts'
import { type ComputedValue, computeValues, formulaRule } from '../../../model/computed-values.ts'
import { rightName } from '../../../model/field-rights.ts'
import { ownName } from '../../../model/form-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRule } from '../../../model/own-rule.ts'
import type { Caller } from '../auth/caller.ts'
import type { Mask } from '../visibility/masking.ts'
import { userInRules } from './record-in-rules.ts'

/** A tenant's own formula: the field, and the rule as pages of the module write it. */
interface Formula extends ComputedValue {
  readonly field: string
  /** What roles call it. */
  readonly right: string
}

const known = new WeakMap<MergedModule, readonly Formula[]>()

function formulasOf(module: MergedModule): readonly Formula[] {
  const found = known.get(module) ?? read(module)
  known.set(module, found)
  return found
}

function read(module: MergedModule): readonly Formula[] {
  const { fields, origin } = module
  const ownNames = new Set(fields.flatMap((field) => (field.origin === 'tenant' ? [field.name] : [])))
  const isVendors = origin === 'vendor'
  return fields.flatMap((field) => {
    const rule = formulaRule(field)
    if (rule === undefined || field.origin !== 'tenant') return []
    const called = { field: field.name, right: rightName(module, field) }
    if (!isVendors) return [{ ...called, name: field.name, rule }]
    return [{ ...called, name: ownName(field.name), rule: ownRule(rule, ownNames) }]
  })
}

/** Formulas that are empty for who sees a record through this mask: their values would tell of what is held back, or be wrong without it. */
export function unseenFormulas(module: MergedModule | undefined, { masked, hidden }: Mask): JsonObject {
  if (module === undefined || masked.size + hidden.size === 0) return {}
  const names = formulasOf(module).filter(({ right }) => masked.has(right) || hidden.has(right))
  return Object.fromEntries(names.map(({ field }) => [field, null]))
}

/**
 * Evaluates the tenant's own formulas for a record as the caller sees it, by the rules of its form. Those that the record already has are empty, and
 * so are those that read something it does not have: a sum of only some of the values would be wrong.
 *
 * @param record  as sent to the client, with its {@link unseenFormulas}; in a module of the product with own values under the names that pages use
 */
export function formulaValues(module: MergedModule, record: JsonObject, caller: Caller): JsonObject {
  const all = formulasOf(module)
  if (all.length === 0) return {}
  const formulas = all.filter(({ name }) => !Object.hasOwn(record, name))
  const names = new Set(formulas.map(({ name }) => name))
  const isThere = ({ rule }: ComputedValue): boolean =>
    dependenciesOf(rule).every((path) => {
      const [root, name = ''] = path.split('.')
      return root !== 'form' || names.has(name) || Object.hasOwn(record, name)
    })
  const values = computeValues(formulas, record, userInRules(caller))
  const isShown = (formula: Formula) => formulas.includes(formula) && isThere(formula)
  return Object.fromEntries(
    all.map((formula) => [formula.field, isShown(formula) ? (values[formula.name] ?? null) : null]),
  )
}

/**
 * The values of formulas in a client's copy of a record: only formulas that read nothing but the record itself, because a copy is updated only when
 * its own row changes. A formula that reads rollups over other records is left out.
 */
export function offlineFormulas(
  module: MergedModule | undefined,
  record: JsonObject,
  caller: Caller,
): JsonObject {
  const worked = module === undefined ? {} : formulaValues(module, record, caller)
  return Object.fromEntries(Object.entries(worked).filter(([, value]) => value !== null)) as JsonObject
}
