import type { JsonObject } from '../../../../runtime/core/json.ts'
import { dependenciesOf } from '../../../../runtime/core/logic/rule.ts'
import { rightName, rightsEntity } from '../../../model/field-rights.ts'
import { ownName } from '../../../model/form-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRule } from '../../../model/own-rule.ts'
import { formulaRule, type Worked, workOut } from '../../../model/worked-out.ts'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import { userInRules } from './record-in-rules.ts'

/** A formula of the tenant's own: the field, and the rule as pages of the module write it. */
interface Formula extends Worked {
  readonly field: string
}

const known = new WeakMap<MergedModule, readonly Formula[]>()

function formulasOf(module: MergedModule): readonly Formula[] {
  const found = known.get(module) ?? read(module)
  known.set(module, found)
  return found
}

function read({ fields, origin }: MergedModule): readonly Formula[] {
  const own = new Set(fields.flatMap((field) => (field.origin === 'tenant' ? [field.name] : [])))
  const isVendors = origin === 'vendor'
  return fields.flatMap((field) => {
    const rule = formulaRule(field)
    if (rule === undefined || field.origin !== 'tenant') return []
    if (!isVendors) return [{ field: field.name, name: field.name, rule }]
    return [{ field: field.name, name: ownName(field.name), rule: ownRule(rule, own) }]
  })
}

/**
 * What the tenant's own formulas make of a record as its reader sees it, by the rules of its form. One that reads what they do not see has no
 * value, for half of a sum is a wrong one.
 *
 * @param record  as it goes over the wire; in a module of the product own values as pages name them
 */
export function formulaValues(module: MergedModule, record: JsonObject, caller: Caller): JsonObject {
  const entity = rightsEntity(module)
  const formulas = formulasOf(module).filter(({ field }) =>
    isClear(caller, entity, rightName(module, { name: field, origin: 'tenant' })),
  )
  if (formulas.length === 0) return {}
  const made = new Set(formulas.map(({ name }) => name))
  const isThere = ({ rule }: Worked): boolean =>
    dependenciesOf(rule).every((path) => {
      const [root, name = ''] = path.split('.')
      return root !== 'form' || made.has(name) || Object.hasOwn(record, name)
    })
  const values = workOut(formulas, record, userInRules(caller))
  return Object.fromEntries(
    formulas.map((one) => [one.field, isThere(one) ? (values[one.name] ?? null) : null]),
  )
}

/**
 * What formulas make of a record that a client keeps a copy of: those over nothing but the record itself, for a copy changes when its own row
 * does. One that reads what is counted over other records is not in it.
 */
export function keptFormulas(
  module: MergedModule | undefined,
  record: JsonObject,
  caller: Caller,
): JsonObject {
  const worked = module === undefined ? {} : formulaValues(module, record, caller)
  return Object.fromEntries(Object.entries(worked).filter(([, value]) => value !== null)) as JsonObject
}
