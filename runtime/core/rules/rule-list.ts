import { decimalsOf, readNumber } from '../decimal.ts'
import { type JsonObject, ownValue } from '../json.ts'
import type { Bounded } from '../page/widget-spec.ts'
import { isNamedRule, type NamedRuleName } from './named-rules.ts'

/** One rule of a field, in the order of evaluation. `regExp` is a pattern the field brings itself. */
export type FieldRule =
  | { readonly kind: 'required' }
  | { readonly kind: 'named'; readonly name: NamedRuleName; readonly hint: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly hint: string }
  | { readonly kind: 'length'; readonly min: number | null; readonly max: number | null }
  | {
      readonly kind: 'range'
      readonly min: number | null
      readonly max: number | null
      /** The most decimals; null for any. */
      readonly digits: number | null
    }
  | { readonly kind: 'count'; readonly min: number | null; readonly max: number | null }
  | { readonly kind: 'custom' }

/**
 * The rules of a field from its options and its required flag. `customRule` is used by uploads, cascaders and long texts instead of
 * `validation`. `custom` stands for onValidate, which the engine runs.
 *
 * @param bounded  what `min` and `max` of its widget apply to: the number itself, or how many entries are chosen (there a `max` of 0 means none)
 */
export function fieldRules(
  options: JsonObject,
  required: boolean,
  bounded: Bounded = 'value',
): readonly FieldRule[] {
  const rules: FieldRule[] = []
  if (required) rules.push({ kind: 'required' })
  for (const name of ['validation', 'customRule']) {
    const written = textOption(options, name)
    const hint = textOption(options, `${name}Hint`)
    if (isNamedRule(written)) rules.push({ kind: 'named', name: written, hint })
    else if (written !== '') rules.push({ kind: 'pattern', pattern: written, hint })
  }
  const length = { min: bound(options, 'minLength'), max: bound(options, 'maxLength') }
  if (length.min !== null || length.max !== null) rules.push({ kind: 'length', ...length })
  const isCount = bounded === 'count'
  const min = bound(options, 'min')
  const max = isCount ? bound(options, 'max') || null : bound(options, 'max')
  const digits = digitsIn(options)
  if (min !== null || max !== null || digits !== null)
    rules.push(isCount ? { kind: 'count', min, max } : { kind: 'range', min, max, digits })
  if (textOption(options, 'onValidate').trim() !== '') rules.push({ kind: 'custom' })
  return rules
}

/** The option as a text; '' for anything else. */
export function textOption(options: JsonObject, name: string): string {
  const value = ownValue(options, name)
  return typeof value === 'string' ? value : ''
}

/** The decimals that may be typed. Nobody types into a read-only field: its computed value may have more, and is shown rounded. */
function digitsIn(options: JsonObject): number | null {
  const precision = options.readonly === true ? null : bound(options, 'precision')
  return precision === null ? null : Math.max(precision, decimalsOf(bound(options, 'step') ?? 1))
}

/** A bound may be written as a number or as its text; '' and null set none. */
const bound = (options: JsonObject, name: string): number | null => readNumber(ownValue(options, name))
