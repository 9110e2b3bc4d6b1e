import type { JsonObject } from '../../../../runtime/core/json.ts'
import { dependenciesOf } from '../../../../runtime/core/logic/rule.ts'
import { type ComputedValue, computeValues, formulaRule } from '../../../model/computed-values.ts'
import { rightName, rightsEntity } from '../../../model/field-rights.ts'
import { ownName } from '../../../model/form-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRule } from '../../../model/own-rule.ts'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import { userInRules } from './record-in-rules.ts'

/** A tenant's own formula: the field, and the rule as pages of the module write it. */
interface Formula extends ComputedValue {
  readonly field: string
}

const known = new WeakMap<MergedModule, readonly Formula[]>()

function formulasOf(module: MergedModule): readonly Formula[] {
  const found = known.get(module) ?? read(module)
  known.set(module, found)
  return found
}

function read({ fields, origin }: MergedModule): readonly Formula[] {
  const ownNames = new Set(fields.flatMap((field) => (field.origin === 'tenant' ? [field.name] : [])))
  const isVendors = origin === 'vendor'
  return fields.flatMap((field) => {
    const rule = formulaRule(field)
    if (rule === undefined || field.origin !== 'tenant') return []
    if (!isVendors) return [{ field: field.name, name: field.name, rule }]
    return [{ field: field.name, name: ownName(field.name), rule: ownRule(rule, ownNames) }]
  })
}

/**
 * Evaluates the tenant's own formulas for a record as the caller sees it, by the rules of its form. A formula that reads a hidden field has no
 * value, because a sum of only some of the values would be wrong.
 *
 * @param record  as sent to the client; in a module of the product with own values under the names that pages use
 */
export function formulaValues(module: MergedModule, record: JsonObject, caller: Caller): JsonObject {
  const entity = rightsEntity(module)
  const formulas = formulasOf(module).filter(({ field }) =>
    isClear(caller, entity, rightName(module, { name: field, origin: 'tenant' })),
  )
  if (formulas.length === 0) return {}
  const names = new Set(formulas.map(({ name }) => name))
  const isThere = ({ rule }: ComputedValue): boolean =>
    dependenciesOf(rule).every((path) => {
      const [root, name = ''] = path.split('.')
      return root !== 'form' || names.has(name) || Object.hasOwn(record, name)
    })
  const values = computeValues(formulas, record, userInRules(caller))
  return Object.fromEntries(
    formulas.map((formula) => [formula.field, isThere(formula) ? (values[formula.name] ?? null) : null]),
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
