import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import {
  FORMAT_FAULT,
  INVALID,
  isCode,
  type Kind,
  namedPlace,
  OPERATORS,
  plainText,
  splitCell,
  type Words,
} from '../kind.ts'
import { labelText } from '../labels.ts'
import { mostFault, readTexts } from './text.ts'

/** Up to this many values of its own a choice is drawn as buttons, beyond them as a sheet. */
const BUTTONS = 6
const MAX_CHOICES = 10

const MAX_VALUE = 64

/** A choice with options of its own knows its values, which may be any texts; those of a dictionary are judged where the dictionary is. */
const isOffered = (field: Field, code: string): boolean =>
  field.options === undefined ? isCode(code) : field.options.some((option) => option.value === code)

const labelOf = (code: Json, field: Field, words: Words): string =>
  typeof code === 'string' ? (words.labelOf(field, code) ?? code) : plainText(code)

/** What the page's widget offers. Labels of options are put in by whoever knows the language. */
function offered(field: Field) {
  if (field.dict !== undefined) return { dict: field.dict }
  return { optionItems: (field.options ?? []).map(({ value, label }) => ({ value, label })) }
}

const isShort = (field: Field): boolean => field.options !== undefined && field.options.length <= BUTTONS

const placeOf = (at: string, { dict }: Field): string =>
  dict === undefined ? namedPlace(at) : `{{ ${at} | dict:${dict} }}`

/** Options without a colour need no more than their words. */
function coloursOf({ dict, options = [] }: Field): JsonObject | null {
  if (dict !== undefined) return { dict }
  if (options.every(({ color = '' }) => color === '')) return null
  return {
    optionItems: options.map(({ value, label, color = '' }) => ({ value, label: labelText(label), color })),
  }
}

/** One value of a dictionary, or of options kept with the module. */
export const choice: Kind = {
  name: 'choice',
  filledBy: 'choose',
  attributes: ['dict', 'options'],
  needs: [['dict', 'options']],
  stored: 'text',
  index: 'text',
  read: (raw, field) => (typeof raw === 'string' && isOffered(field, raw) ? raw : INVALID),
  fault: () => ({ code: 'record.not-offered' }),
  widget: (field) =>
    isShort(field)
      ? { type: 'radio', options: { ...offered(field), buttonStyle: true } }
      : { type: 'select', options: offered(field) },
  place: placeOf,
  colours: coloursOf,
  face: 'choices',
  operators: OPERATORS.code,
  sorts: true,
  write: labelOf,
  parse: (cell, field, codes) => codes.codeOf(field, cell) ?? cell.slice(0, 64),
}

/** Several values. */
export const choices: Kind = {
  name: 'choices',
  filledBy: 'choose',
  attributes: ['dict', 'options', 'most'],
  needs: [['dict', 'options']],
  stored: 'texts',
  index: 'text',
  several: true,
  read(raw, field) {
    const read = readTexts(raw, field.most ?? MAX_CHOICES, MAX_VALUE)
    return read !== INVALID && read.every((code) => isOffered(field, code)) ? read : INVALID
  },
  fault: (field, raw) => mostFault(raw, field.most ?? MAX_CHOICES) ?? { code: 'record.not-offered' },
  widget: (field) => ({
    type: isShort(field) ? 'checkbox' : 'select',
    options: isShort(field)
      ? { ...offered(field), buttonStyle: true }
      : { ...offered(field), multiple: true, multipleLimit: field.most ?? MAX_CHOICES },
  }),
  place: placeOf,
  colours: coloursOf,
  face: 'choices',
  operators: OPERATORS.codes,
  write: (value, field, words) =>
    Array.isArray(value) ? value.map((one) => labelOf(one, field, words)).join('、') : plainText(value),
  parse: (cell, field, codes) =>
    splitCell(cell).map((word) => codes.codeOf(field, word) ?? word.slice(0, 64)),
}

/** Yes or no. */
export const flag: Kind = {
  name: 'flag',
  attributes: [],
  stored: 'flag',
  index: 'text',
  read: (raw) => (typeof raw === 'boolean' ? raw : INVALID),
  fault: () => FORMAT_FAULT,
  widget: () => ({ type: 'switch', options: { activeValue: true, inactiveValue: false } }),
  place: namedPlace,
  face: 'switch',
  operators: OPERATORS.flag,
  write: (value, _, words) => (value === true ? words.yes : value === false ? words.no : ''),
  parse: (cell, _, codes) => (codes.yes.includes(cell) ? true : codes.no.includes(cell) ? false : cell),
}
