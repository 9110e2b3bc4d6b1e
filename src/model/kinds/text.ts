import { createBudget, spending } from '../../../runtime/core/budget.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { matchPattern } from '../../../runtime/core/rules/pattern.ts'
import type { Field } from '../description.ts'
import {
  FORMAT_FAULT,
  INVALID,
  type Kind,
  type KindFault,
  OPERATORS,
  plainPlace,
  plainText,
  splitCell,
} from '../kind.ts'

/** Characters a field takes that declares no `max`, and the most it may declare. */
export const LENGTHS = {
  text: { usual: 200, most: 500 },
  'long-text': { usual: 2000, most: 20_000 },
  texts: { usual: 40, most: 200 },
} as const
const MAX_TEXTS = 10

/** Turn the text around them: phones put them around numbers that are copied, and a name could pass for another with them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/gu
/** Nothing that can be seen: blanks, characters without width, fillers. */
const UNSEEN = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u

/**
 * The trimmed text without marks that turn its direction, null if nothing of it can be seen; INVALID beyond its length, or with a zero character, which
 * no database takes.
 */
export function readText(raw: Json, min: number, max: number): string | null | typeof INVALID {
  if (typeof raw !== 'string') return INVALID
  const trimmed = raw.replace(TURNING, '').trim()
  if (UNSEEN.test(trimmed)) return null
  const length = Array.from(trimmed).length
  return length >= min && length <= max && !trimmed.includes('\0') ? trimmed : INVALID
}

/** A few texts without repeats; INVALID for anything else, and beyond their number or length. */
export function readTexts(raw: Json, maximum: number, max: number): readonly string[] | typeof INVALID {
  if (!Array.isArray(raw) || raw.length > maximum) return INVALID
  const read = raw.map((one) => readText(one, 1, max))
  return read.every((one) => typeof one === 'string') ? [...new Set(read)] : INVALID
}

/** Of a list that is longer than it may be; null where that is not what is wrong. */
export const mostFault = (raw: Json | undefined, maximum: number): KindFault | null =>
  Array.isArray(raw) && raw.length > maximum ? { code: 'record.most', places: { most: maximum } } : null

/** Characters a text field takes at most. */
function lengthOf({ kind, max }: Field): number {
  return max ?? LENGTHS[kind === 'long-text' || kind === 'texts' ? kind : 'text'].usual
}

const lengthFault = (field: Field): KindFault => ({
  code: 'record.length',
  places: { min: field.min ?? 0, max: lengthOf(field) },
})

/** The pattern takes longer than it may: its author's fault, not that of who typed the value. */
const SLOW_FAULT: KindFault = { code: 'record.too-slow' }

/** Judged with steps of its own: other patterns of the same write may have used up the common ones. */
function patternFaultOf(field: Field, raw: Json | undefined): KindFault {
  const value = readText(raw ?? null, field.min ?? 0, lengthOf(field))
  if (typeof value !== 'string') return FORMAT_FAULT
  const found = spending(createBudget(), () => matchPattern(field.pattern ?? '', value))
  return found === 'no-match' ? FORMAT_FAULT : SLOW_FAULT
}

/** One line of text. */
export const text: Kind = {
  name: 'text',
  attributes: ['min', 'max', 'pattern', 'worked'],
  stored: 'text',
  index: 'text',
  read(raw, field) {
    const value = readText(raw, field.min ?? 0, lengthOf(field))
    if (typeof value !== 'string' || field.pattern === undefined) return value
    return matchPattern(field.pattern, value) === 'match' ? value : INVALID
  },
  fault: (field, raw) => (field.pattern === undefined ? lengthFault(field) : patternFaultOf(field, raw)),
  widget: (field) => ({
    type: 'input',
    options: {
      trim: true,
      maxLength: lengthOf(field),
      ...(field.min === undefined ? {} : { minLength: field.min }),
      ...(field.pattern === undefined ? {} : { validation: field.pattern }),
    },
  }),
  place: plainPlace,
  face: 'text',
  operators: OPERATORS.text,
  sorts: true,
  write: plainText,
  parse: (cell) => cell,
}

/** A text of several lines; neither searched, filtered nor sorted by: it lies in no index. */
export const longText: Kind = {
  name: 'long-text',
  attributes: ['min', 'max'],
  stored: 'text',
  index: null,
  read: (raw, field) => readText(raw, field.min ?? 0, lengthOf(field)),
  fault: lengthFault,
  widget: (field) => ({ type: 'textarea', options: { maxLength: lengthOf(field), showWordLimit: true } }),
  place: plainPlace,
  long: true,
  face: null,
  operators: OPERATORS.none,
  write: plainText,
  parse: (cell) => cell,
}

/** A few short texts, as the names of competitors. */
export const texts: Kind = {
  name: 'texts',
  filledBy: 'choose',
  attributes: ['max', 'most'],
  stored: 'texts',
  index: 'text',
  several: true,
  read: (raw, field) => readTexts(raw, field.most ?? MAX_TEXTS, lengthOf(field)),
  fault: (field, raw) =>
    mostFault(raw, field.most ?? MAX_TEXTS) ?? {
      code: 'record.length-each',
      places: { max: lengthOf(field) },
    },
  widget: (field) => ({
    type: 'select',
    options: { multiple: true, allowCreate: true, multipleLimit: field.most ?? MAX_TEXTS },
  }),
  place: (at) => `{{ ${at} | join:、 }}`,
  face: 'words',
  operators: OPERATORS.codes,
  write: (value) => (Array.isArray(value) ? value.join('、') : plainText(value)),
  parse: splitCell,
}
