import { isObject, type Json, type JsonObject, listOf, ownValue } from '../../runtime/core/json.ts'
import { dependenciesOf } from '../../runtime/core/logic/rule.ts'
import { besideNames } from './beside-names.ts'
import { rulesOf } from './computed-values.ts'
import type { Field, Rule } from './description.ts'
import { ownName } from './form-fields.ts'
import type { MergedField, MergedModule } from './merge-module.ts'
import { escaped } from './module-problem.ts'
import { ownRule } from './own-rule.ts'

/** What a field is named for. */
export type NamedAs = 'title' | 'group' | 'status' | 'amount' | 'until' | 'sort' | 'approval' | 'convert'

/** A field that a description names outside of rules. */
interface NamedField {
  readonly name: string
  readonly at: string
  readonly as: NamedAs
}

/** A rule of a description. `by` is the field that says it, '' for the module itself. */
export interface DescribedRule {
  readonly rule: Rule
  readonly at: string
  readonly by: string
}

/** Every field that a description names outside of its rules. A list may be sorted by what every record has, too. */
export function namedFields(given: JsonObject): readonly NamedField[] {
  const { title, groups, statuses, amount, until, defaultSort, approval, convert } = given
  const one = (as: NamedAs, name: Json | undefined, at: string): readonly NamedField[] =>
    typeof name === 'string' ? [{ as, name, at }] : []
  const each = (as: NamedAs, names: Json | undefined, at: string): readonly NamedField[] =>
    listOf(names).flatMap((name, i) => one(as, name, `${at}/${i}`))
  const conditions = listOf(ownValue(approval, 'steps')).flatMap((step, i) =>
    listOf(ownValue(step, 'when')).flatMap((when, j) =>
      one('approval', ownValue(when, 'field'), `/approval/steps/${i}/when/${j}/field`),
    ),
  )
  return [
    ...one('title', title, '/title'),
    ...listOf(groups).flatMap((group, i) => each('group', ownValue(group, 'fields'), `/groups/${i}/fields`)),
    ...one('status', ownValue(statuses, 'field'), '/statuses/field'),
    ...one('amount', amount, '/amount'),
    ...one('until', until, '/until'),
    ...one('sort', typeof defaultSort === 'string' ? defaultSort.split(' ')[0] : undefined, '/defaultSort'),
    ...conditions,
    ...each('approval', ownValue(approval, 'open'), '/approval/open'),
    ...Object.entries(isObject(convert) ? convert : {}).flatMap(([module, mapping]) =>
      Object.entries(isObject(mapping) ? mapping : {}).flatMap(([name, from]) =>
        from === 'id' ? [] : one('convert', from, `/convert/${escaped(module)}/${escaped(name)}`),
      ),
    ),
  ]
}

/** Every rule of a description. */
export function describedRules({ fields, approval }: JsonObject): readonly DescribedRule[] {
  const beyond = ownValue(approval, 'beyond')
  return [
    ...listOf(fields).flatMap((field, i) =>
      isObject(field)
        ? rulesOf(field as unknown as Field).map(({ at, rule }) => ({
            rule,
            at: `/fields/${i}/${at}`,
            by: String(field.name),
          }))
        : [],
    ),
    ...(isObject(beyond) ? [{ rule: beyond, at: '/approval/beyond', by: '' }] : []),
  ]
}

type FieldsOf = Pick<MergedModule, 'origin' | 'fields'>

/** A rule of the module, with fields by the names of {@link namesInRules}. */
export const ruleAsRead = (rule: Rule, { origin, fields }: FieldsOf): Rule =>
  origin === 'vendor' ? ownRule(rule, ownNamesIn(fields)) : rule

/** What a rule reads of a record of the module, by the names of {@link namesInRules}. */
export function readNames(rule: Rule, module: FieldsOf): readonly string[] {
  return dependenciesOf(ruleAsRead(rule, module))
    .filter((path) => path.startsWith('form.'))
    .map((path) => path.split('.')[1] ?? '')
}

const ownNames = new WeakMap<FieldsOf['fields'], ReadonlySet<string>>()

/** The tenant's own fields among them. */
function ownNamesIn(fields: FieldsOf['fields']): ReadonlySet<string> {
  const found = ownNames.get(fields) ?? readOwnNames(fields)
  ownNames.set(fields, found)
  return found
}

const readOwnNames = (fields: FieldsOf['fields']): ReadonlySet<string> =>
  new Set(fields.flatMap((field) => (field.origin === 'tenant' ? [field.name] : [])))

/** The names by which rules of the module read a field: its own, and those of what stands beside its value. */
export function namesInRules(field: MergedField, { origin }: Pick<FieldsOf, 'origin'>): readonly string[] {
  const name = origin === 'vendor' && field.origin === 'tenant' ? ownName(field.name) : field.name
  return [name, ...besideNames({ ...field, name })]
}

/** Fields of another module that records of this one begin with. */
export const convertedInto = (
  { convert }: Pick<MergedModule, 'convert'>,
  module: string,
): readonly string[] => Object.keys(ownValue(convert, module) ?? {})

/** The rules of other fields, and of the module, that read a field. */
export function rulesReading(module: MergedModule, field: MergedField): readonly DescribedRule[] {
  const names = new Set(namesInRules(field, module))
  return describedRules(module as unknown as JsonObject).filter(
    ({ rule, by }) => by !== field.name && readNames(rule, module).some((name) => names.has(name)),
  )
}
