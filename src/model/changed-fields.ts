import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, objectsIn, sameJson } from '../../runtime/core/json.ts'
import { rulesOf } from './computed-values.ts'
import type { Field, Label } from './description.ts'
import { labelText } from './labels.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/**
 * What is wrong with fields that this change makes or changes: two options that people cannot tell apart, a rule that divides by 0. What was
 * there before stays.
 * @param before  what was said so far
 */
export function changedFieldProblems(
  given: JsonObject,
  before: JsonObject | undefined,
): readonly ModuleProblem[] {
  return fieldsProblems(given.fields, objectsIn(before?.fields), '')
}

function fieldsProblems(
  fields: Json | undefined,
  were: readonly JsonObject[],
  at: string,
): readonly ModuleProblem[] {
  return objectsIn(fields).flatMap((field, i) => {
    const was = were.find(({ name }) => name === field.name)
    const place = `${at}/fields/${i}`
    return [
      ...(sameJson(field.options ?? null, was?.options ?? null) ? [] : optionProblems(field, place)),
      ...zeroProblems(field, was, place),
      ...fieldsProblems(field.fields, objectsIn(was?.fields), place),
    ]
  })
}

/** The first label that two of the options share; undefined where people can tell all of them apart. */
export function repeatedLabel(
  options: readonly JsonObject[],
): { readonly label: string; readonly i: number } | undefined {
  const labels = options.map(({ label }) =>
    typeof label === 'string' || isObject(label) ? labelText(label as Label).trim() : '',
  )
  const i = labels.findIndex((label, at) => label !== '' && labels.indexOf(label) < at)
  return i < 0 ? undefined : { label: labels[i] ?? '', i }
}

function optionProblems(field: JsonObject, at: string): readonly ModuleProblem[] {
  const found = repeatedLabel(objectsIn(field.options))
  if (found === undefined) return []
  const message = phrase('another option is called "{label}"', { label: found.label })
  return [
    moduleProblem('NAME_REPEATED', `${at}/options/${found.i}/label`, message, phrase('choose another name')),
  ]
}

function zeroProblems(field: JsonObject, was: JsonObject | undefined, at: string): readonly ModuleProblem[] {
  const before = was === undefined ? [] : rulesOf(was as unknown as Field)
  return rulesOf(field as unknown as Field)
    .filter((one) => !before.some((other) => other.at === one.at && sameJson(other.rule, one.rule)))
    .filter(({ rule }) => dividesByZero(rule))
    .map(({ at: key }) =>
      moduleProblem(
        'VALUE_INVALID',
        `${at}/${key}`,
        phrase('it divides by 0'),
        phrase('divide by a field, or by another number'),
      ),
    )
}

/** Somewhere in the rule stands a division whose divisor is 0 whatever the record holds: it never gives a value. */
export function dividesByZero(rule: Json): boolean {
  if (Array.isArray(rule)) return rule.some((part) => dividesByZero(part as Json))
  if (!isObject(rule)) return false
  return Object.entries(rule).some(
    ([op, args]) =>
      ((op === '/' || op === '%') && Array.isArray(args) && args.slice(1).some(isZero)) ||
      dividesByZero(args ?? null),
  )
}

const isZero = (arg: Json): boolean => arg === 0 || arg === '0'
