import { type JsonObject, ownValue } from '../json.ts'
import type { Bounded } from '../page/widget-spec.ts'
import { isNamedRule, type NamedRuleName } from './named-rules.ts'

/** One rule of a field, in the order of evaluation. `regExp` is a pattern the field brings itself. */
export type FieldRule =
  | { readonly kind: 'required' }
  | { readonly kind: 'named'; readonly name: NamedRuleName; readonly hint: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly hint: string }
  | { readonly kind: 'length'; readonly min: number | null; readonly max: number | null }
  | { readonly kind: 'range'; readonly min: number | null; readonly max: number | null }
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
  if (min !== null || max !== null) rules.push({ kind: isCount ? 'count' : 'range', min, max })
  if (textOption(options, 'onValidate').trim() !== '') rules.push({ kind: 'custom' })
  return rules
}

/** The option as a text; '' for anything else. */
export function textOption(options: JsonObject, name: string): string {
  const value = ownValue(options, name)
  return typeof value === 'string' ? value : ''
}

/** A bound may be written as a number or as its text; '' and null set none. */
function bound(options: JsonObject, name: string): number | null {
  const value = ownValue(options, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
