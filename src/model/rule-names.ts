import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, objectsIn, sameJson } from '../../runtime/core/json.ts'
import { dependenciesOf } from '../../runtime/core/logic/rule.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { RESERVED } from './attributes.ts'
import { besideNames } from './beside-names.ts'
import { rulesOf } from './computed-values.ts'
import type { Field } from './description.ts'
import { ownName } from './form-fields.ts'
import type { MergedModule } from './merge-module.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'
import { ownRule } from './own-rule.ts'

/** What records have besides fields: words of what they name, moments, ids. */
const BESIDE = /_(?:names?|ids?|at|no)$/

/**
 * Names in the rules of fields that a record of the module does not have: such a rule reads nothing, and nobody would be told. A rule that was
 * there before stays.
 * @param module  as it is to be
 */
export function ruleNameProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  module: MergedModule,
): readonly ModuleProblem[] {
  const ownNames = new Set(module.fields.flatMap(({ name, origin }) => (origin === 'tenant' ? [name] : [])))
  const isVendors = module.origin === 'vendor'
  const called = ({ name, origin }: { readonly name: string; readonly origin: string }): string =>
    isVendors && origin === 'tenant' ? ownName(name) : name
  const names = module.fields.flatMap((field) => [
    called(field),
    ...besideNames({ ...field, name: called(field) }),
  ])
  const readable = new Set([...names, ...RESERVED])
  return (Array.isArray(given.fields) ? given.fields : []).flatMap((field: Json, i) => {
    if (!isObject(field)) return []
    const was = objectsIn(before?.fields).find(({ name }) => name === field.name)
    return rulesOf(field as unknown as Field).flatMap(({ at, rule }) => {
      if (was !== undefined && rulesOf(was as unknown as Field).some((one) => sameJson(one.rule, rule)))
        return []
      const read = dependenciesOf(isVendors ? ownRule(rule, ownNames) : rule)
        .filter((path) => path.startsWith('form.'))
        .map((path) => path.split('.')[1] ?? '')
      const unknown = read.find((name) => !readable.has(name) && !BESIDE.test(name))
      if (unknown === undefined) return []
      const sentence = phrase('the module has no field "{name}"', { name: unknown })
      return [moduleProblem('FIELD_UNKNOWN', `/fields/${i}/${at}`, sentence, nameHint(unknown, names))]
    })
  })
}
