import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type JsonObject, objectsIn, sameJson } from '../../runtime/core/json.ts'
import type { Field, KindName } from './description.ts'
import { isKindName, kindOf } from './kinds/index.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/** What a row of a sub-form may hold: plain values, which one widget fills in and one word says. */
export const ROW_KINDS: readonly KindName[] = [
  'text',
  'long-text',
  'phone',
  'email',
  'url',
  'number',
  'integer',
  'money',
  'percent',
  'day',
  'moment',
  'flag',
  'choice',
]
const ROW_ATTRIBUTES: readonly string[] = ['name', 'kind', 'label', 'required', 'help', 'retired']

/** Fields with those of their rows behind them. */
export const withRowFields = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => (field.kind === 'lines' ? [field, ...(field.fields ?? [])] : [field]))

/**
 * What is wrong with the rows of a tenant's own sub-forms: kinds that rows do not take, and attributes that say nothing of one. What was there
 * before stays.
 * @param given  a module of the tenant's own, or what it says otherwise of one of the product's
 * @param before  what was said so far
 */
export function rowProblems(given: JsonObject, before: JsonObject | undefined): readonly ModuleProblem[] {
  const was = objectsIn(before?.fields)
  return objectsIn(given.fields).flatMap((field, i) => {
    if (field.kind !== 'lines') return []
    const rows = field.fields ?? null
    if (was.some((one) => one.name === field.name && sameJson(one.fields ?? null, rows))) return []
    return objectsIn(rows).flatMap((row, j) => columnProblems(row, `/fields/${i}/fields/${j}`))
  })
}

function columnProblems(row: JsonObject, at: string): readonly ModuleProblem[] {
  const { kind, required } = row
  if (!isKindName(kind) || !ROW_KINDS.includes(kind))
    return [
      moduleProblem(
        'VALUE_INVALID',
        `${at}/kind`,
        phrase('a row has no field of kind {kind}', { kind: String(kind) }),
        phrase('a row takes {keys}', { keys: ROW_KINDS.join(', ') }),
      ),
    ]
  const allowed = [...ROW_ATTRIBUTES, ...kindOf(kind).attributes]
  const unknown = Object.keys(row).filter((key) => !allowed.includes(key))
  if (isObject(required)) unknown.push('required')
  return unknown.map((key) =>
    moduleProblem(
      'VALUE_INVALID',
      `${at}/${key}`,
      phrase('"{key}" says nothing of a field in a row', { key }),
      phrase('remove {key}', { key }),
    ),
  )
}
