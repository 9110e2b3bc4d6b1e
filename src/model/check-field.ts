import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { checkRule } from '../../runtime/core/logic/check-rule.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { patternFault } from '../../runtime/core/rules/pattern.ts'
import { fieldAttributeFault } from './attribute-fault.ts'
import { COMMON_ATTRIBUTES, FIELD_ATTRIBUTES, NAME } from './attributes.ts'
import { defaultRule, rulesOf } from './computed-values.ts'
import type { Field, Rule } from './description.ts'
import { INVALID } from './kind.ts'
import { isKindName, KIND_NAMES, kindOf } from './kinds/index.ts'
import { LENGTHS } from './kinds/text.ts'
import {
  escaped,
  hintOf,
  isEveryObjects,
  type ModuleProblem,
  moduleProblem,
  unknownKey,
  valueProblems,
} from './module-problem.ts'
import { isNumberPattern } from './number-pattern.ts'
import { readField } from './read-record.ts'

/** Fields of one list that share a name. @param at  pointer of what holds the list */
export function repeatProblems(fields: readonly Json[], at = ''): readonly ModuleProblem[] {
  const seen = new Set<string>()
  return fields.flatMap((field, i) => {
    const name = isObject(field) && typeof field.name === 'string' ? field.name : ''
    const twice = name !== '' && seen.has(name)
    seen.add(name)
    if (!twice) return []
    const message = phrase('another field is called "{name}"', { name })
    const hint = phrase('names are the keys of the data')
    return [moduleProblem('NAME_REPEATED', `${at}/fields/${i}/name`, message, hint)]
  })
}

/** The faults of one field, as of one that a tenant adds. @param at  pointer of the field */
export function fieldProblems(field: Json, at: string): readonly ModuleProblem[] {
  if (!isObject(field))
    return [
      moduleProblem(
        'VALUE_INVALID',
        at,
        phrase('a field is an object'),
        phrase('it has a name, a kind and a label'),
      ),
    ]
  const { kind } = field
  if (!isKindName(kind)) {
    const sentence = phrase('no kind of field is called "{name}"', { name: String(kind) })
    return [
      moduleProblem('KIND_UNKNOWN', `${at}/kind`, sentence, nameHint(String(kind), KIND_NAMES)),
      ...nameProblems(field, at),
    ]
  }
  const allowed = [...COMMON_ATTRIBUTES, ...kindOf(kind).attributes]
  const keys = Object.keys(field).flatMap((key) =>
    allowed.includes(key as keyof Field)
      ? valueProblems(
          fieldAttributeFault(key as keyof Field, field[key] ?? null),
          `${at}/${escaped(key)}`,
          hintOf(FIELD_ATTRIBUTES, key),
        )
      : [unknownKey(key, allowed, `${at}/${escaped(key)}`, phrase('a field of kind {kind}', { kind }))],
  )
  const missing = [...(kindOf(kind).needs ?? []), ['label' as const]]
    .filter((ways) => ways.every((key) => field[key] === undefined))
    .map((ways) =>
      moduleProblem(
        'KEY_MISSING',
        at,
        phrase('this field has no {key}', { key: ways.join(' / ') }),
        phrase('a field of kind {kind} needs it', { kind }),
      ),
    )
  const rows = kind === 'lines' && Array.isArray(field.fields) ? field.fields : []
  const nested = [
    ...rows.flatMap((row, i) => fieldProblems(row as Json, `${at}/fields/${i}`)),
    ...repeatProblems(rows as readonly Json[], at),
  ]
  const found = [...nameProblems(field, at), ...keys, ...missing, ...nested]
  return found.length > 0 ? found : meaningProblems(field as unknown as Field, at)
}

/** What only makes sense together: bounds in order, a pattern that can be read, a default the field itself would take. */
function meaningProblems(field: Field, at: string): readonly ModuleProblem[] {
  const found: ModuleProblem[] = []
  const { min, max, pattern, kind, default: usual } = field
  if (min !== undefined && max !== undefined && min > max)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/min`,
        phrase('min {min} is above max {max}', { min, max }),
        phrase('swap them'),
      ),
    )
  const maxLength =
    kind === 'text' || kind === 'long-text' || kind === 'texts' ? LENGTHS[kind].most : undefined
  if (maxLength !== undefined && max !== undefined && (max > maxLength || max < 1 || !Number.isInteger(max)))
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/max`,
        phrase('max is {max}', { max }),
        phrase('1 to {most} characters', { most: maxLength }),
      ),
    )
  const fault = pattern === undefined ? null : patternFault(pattern)
  if (fault !== null)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/pattern`,
        phrase('the pattern cannot be read: {fault}', { fault }),
        phrase('a regular expression'),
      ),
    )
  const isRuled = defaultRule(field) !== undefined
  const isPlain = usual !== undefined && usual !== null && !isRuled && usual !== 'now' && usual !== 'me'
  if (isPlain && found.length === 0 && readField(usual, field) === INVALID)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/default`,
        phrase('the field itself would refuse its default'),
        phrase('choose a value it takes'),
      ),
    )
  found.push(...rulesOf(field).flatMap(({ at: key, rule }) => ruleProblems(rule, `${at}/${key}`)))
  found.push(...numberProblems(field.number, `${at}/number`))
  if (field.dict !== undefined && field.options !== undefined)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/options`,
        phrase('it has a dictionary and options'),
        phrase('keep one of them'),
      ),
    )
  const values = (field.options ?? []).map(({ value }) => value)
  const isSingle = new Set(values).size === values.length
  const repeated = isSingle ? -1 : values.findIndex((value, i) => values.indexOf(value) < i)
  if (repeated >= 0)
    found.push(
      moduleProblem(
        'NAME_REPEATED',
        `${at}/options/${repeated}/value`,
        phrase('another option has the value "{value}"', { value: values[repeated] ?? '' }),
        phrase('records say which option by its value'),
      ),
    )
  const sorts = kindOf(kind).sorts === true
  if (field.sort === true && !sorts)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        `${at}/sort`,
        phrase('a field of kind {kind} has no order', { kind }),
        phrase('remove {key}', { key: 'sort' }),
      ),
    )
  if ((field.filter === true || field.unique !== undefined) && kindOf(kind).index === null)
    found.push(
      moduleProblem(
        'VALUE_INVALID',
        at,
        phrase('a field of kind {kind} is not filtered and not unique', { kind }),
        phrase('remove {key}', { key: 'filter, unique' }),
      ),
    )
  return found
}

/** The first fault of a rule. */
export const ruleProblems = (rule: Rule, at: string): readonly ModuleProblem[] =>
  checkRule(rule, at)
    .slice(0, 1)
    .map(({ at: place, said }) => moduleProblem('VALUE_INVALID', place, said.message, said.hint))

function nameProblems(field: JsonObject, at: string): readonly ModuleProblem[] {
  const { name } = field
  if (typeof name !== 'string' || !NAME.test(name) || isEveryObjects(name))
    return [
      moduleProblem(
        'NAME_INVALID',
        `${at}/name`,
        phrase('"{name}" is no name', { name: String(name) }),
        phrase('a small letter, then letters, digits or _, 40 at most'),
      ),
    ]
  return []
}

/** What is wrong with the pattern of a number, of a field or of all records. */
export const numberProblems = (number: unknown, at: string): readonly ModuleProblem[] =>
  typeof number !== 'string' || isNumberPattern(number)
    ? []
    : [
        moduleProblem(
          'VALUE_INVALID',
          at,
          phrase('"{number}" is no pattern of a number', { number }),
          phrase('one count of zeros, and perhaps a date: {example}', { example: 'GD{yyyyMMdd}{000}' }),
        ),
      ]
