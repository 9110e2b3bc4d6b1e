import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import type { Bounded } from '../page/widget-spec.ts'
import type { Text } from '../ports.ts'
import { NAMED_RULES, satisfies } from './named-rules.ts'
import { matchPattern } from './pattern.ts'
import { type FieldRule, fieldRules, textOption } from './rule-list.ts'

export { fieldRules } from './rule-list.ts'

export interface FieldToCheck {
  readonly label: string
  readonly options: JsonObject
  readonly required: boolean
  readonly value: Json | undefined
  /** What `min` and `max` apply to; default: the value. */
  readonly bounded?: Bounded | undefined
}

/**
 * The first rule that a value breaks, as the message under the field. The order is required, validation, length, bounds; the
 * field's own code (onValidate) is run by the engine afterwards.
 *
 * Every rule but required is skipped for null, undefined and ''. A pattern that cannot be read or that takes too long is a
 * message of its own, never a silent pass.
 *
 * @returns null when every rule holds
 */
export function checkField(field: FieldToCheck, text: Text): string | null {
  for (const rule of fieldRules(field.options, field.required, field.bounded)) {
    const message = checkRuleOf(rule, field, text)
    if (message !== null) return message
  }
  return null
}

/** Empty for a required field: null, undefined, '', the empty list and an object without keys. Blanks are not empty. */
export function isEmptyValue(value: Json | undefined): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** What an empty required field says. */
export function requiredMessage(
  { label, options }: Pick<FieldToCheck, 'label' | 'options'>,
  text: Text,
): string {
  return textOption(options, 'requiredHint') || text('rule.required', { label })
}

function checkRuleOf(rule: FieldRule, field: FieldToCheck, text: Text): string | null {
  const { value } = field
  if (rule.kind === 'required') return isEmptyValue(value) ? requiredMessage(field, text) : null
  if (value === null || value === undefined || value === '') return null
  switch (rule.kind) {
    case 'named':
      return textsOf(value).every((one) => satisfies(rule.name, one)) ? null : namedMessage(rule, field, text)
    case 'pattern':
      return patternMessage(rule, field, text)
    case 'length':
      return lengthMessage(rule, field, text)
    case 'range':
      return rangeMessage(rule, field, text)
    case 'count':
      return countMessage(rule, field, text)
    case 'custom':
      return null
  }
}

type Rule<K extends FieldRule['kind']> = Extract<FieldRule, { readonly kind: K }>

function namedMessage({ name, hint }: Rule<'named'>, field: FieldToCheck, text: Text): string {
  return hint || `[${field.label}]${text(NAMED_RULES[name].textCode)}`
}

function patternMessage({ pattern, hint }: Rule<'pattern'>, field: FieldToCheck, text: Text): string | null {
  const params = { label: field.label }
  for (const entry of textsOf(field.value)) {
    switch (matchPattern(pattern, entry)) {
      case 'match':
        continue
      case 'no-match':
        return hint || text('rule.pattern', params)
      case 'too-slow':
        return text('rule.patternTooSlow', params)
      case 'invalid':
        return text('rule.patternInvalid', params)
    }
  }
  return null
}

/** The value that a rule is applied to: as one text; for files, the name of each. */
function textsOf(value: Json | undefined): readonly string[] {
  const files = Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
  return files.length > 0 ? files.map((file) => asText(ownValue(file, 'name'))) : [asText(value)]
}

type Bounds = { readonly min: number | null; readonly max: number | null }

/** Characters of a text, entries of a list; numbers have no length. */
function lengthMessage({ min, max }: Bounds, field: FieldToCheck, text: Text): string | null {
  const { label, value } = field
  if (typeof value !== 'string') return null
  const length = [...value].length
  const low = min !== null && length < min
  const high = max !== null && length > max
  if (!low && !high) return null
  if (min !== null && max !== null && min > 0) {
    return text('rule.lengthBetween', { label, minLength: min, maxLength: max })
  }
  return low
    ? text('rule.minLength', { label, minLength: min })
    : text('rule.maxLength', { label, maxLength: max ?? 0 })
}

/** Both bounds are included; a text is compared by the number it contains, a list (range slider) by each of its numbers. */
function rangeMessage({ min, max }: Bounds, field: FieldToCheck, text: Text): string | null {
  const { label, value } = field
  for (const item of Array.isArray(value) ? value : [value]) {
    const number = typeof item === 'string' && item.trim() !== '' ? Number(item) : item
    if (typeof number !== 'number' || !Number.isFinite(number)) continue
    if (min !== null && number < min) return text('rule.minimum', { label, minimum: min })
    if (max !== null && number > max) return text('rule.maximum', { label, maximum: max })
  }
  return null
}

/** Both bounds are included. An empty choice does not violate the minimum: that is what required is for. */
function countMessage({ min, max }: Bounds, { label, value }: FieldToCheck, text: Text): string | null {
  if (!Array.isArray(value) || value.length === 0) return null
  if (min !== null && value.length < min) return text('rule.fewest', { label, count: min })
  return max !== null && value.length > max ? text('rule.most', { label, count: max }) : null
}

function asText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(asText).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
