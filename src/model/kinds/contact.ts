import type { Field } from '../description.ts'
import { FORMAT_FAULT, INVALID, type Kind, OPERATORS, plainPlace, plainText } from '../kind.ts'
import { readText } from './text.ts'

/** 11 digits of the mainland's mobile numbers. */
export const MOBILE = /^1[3-9]\d{9}$/
/** A landline with optional area code and extension, or a 400/800 number. */
const LANDLINE = /^(?:(?:0\d{2,3}-?)?[1-9]\d{6,7}(?:-\d{1,6})?|[48]00-?\d{3}-?\d{4})$/
export const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/
const WEBSITE = /^(?:https?:\/\/)?[^\s/.]+(?:\.[^\s/.]+)+(?:\/\S*)?$/i

const PHONES = {
  mobile: { fits: (text: string) => MOBILE.test(text), max: 11, validation: 'mobilePhone' },
  landline: { fits: (text: string) => LANDLINE.test(text), max: 20, validation: LANDLINE.source },
  any: {
    fits: (text: string) => MOBILE.test(text) || LANDLINE.test(text),
    max: 20,
    validation: `${MOBILE.source}|${LANDLINE.source}`,
  },
} as const

const phoneOf = (field: Field) => PHONES[field.form ?? 'any']

/** `+86 138-0013 8000` → `13800138000`; other numbers keep their marks. */
function digitsOf(written: string): string {
  const digits = written.replace(/[\s\-—－()（）]/g, '').replace(/^(?:\+|00)?86(?=1\d{10}$)/, '')
  return MOBILE.test(digits) ? digits : written.replace(/[—－]/g, '-').replace(/\s+/g, '')
}

/** A phone number: found by its last digits, dialled by a tap, masked where the reader may not have it. */
export const phone: Kind = {
  name: 'phone',
  attributes: ['form'],
  stored: 'text',
  index: 'text',
  read(raw, field) {
    const { fits, max } = phoneOf(field)
    const value = readText(raw, 0, max)
    return typeof value === 'string' && !fits(value) ? INVALID : value
  },
  fault: () => FORMAT_FAULT,
  widget: (field) => ({
    type: 'input',
    options: {
      type: 'tel',
      trim: true,
      maxLength: phoneOf(field).max,
      validation: phoneOf(field).validation,
    },
  }),
  place: plainPlace,
  fact: ({ name }) => ({ bind: name, dial: true, copy: true }),
  face: 'text',
  operators: OPERATORS.text,
  write: plainText,
  parse: digitsOf,
}

/** Kinds of addresses: a text of one shape. */
const address = (name: 'email' | 'url', shape: RegExp, usual: number): Kind => ({
  name,
  attributes: ['max'],
  stored: 'text',
  index: 'text',
  read(raw, field) {
    const value = readText(raw, 0, field.max ?? usual)
    return typeof value === 'string' && !shape.test(value) ? INVALID : value
  },
  fault: () => FORMAT_FAULT,
  widget: (field) => ({
    type: 'input',
    options: {
      type: name,
      trim: true,
      maxLength: field.max ?? usual,
      validation: shape.flags === '' ? shape.source : String(shape),
    },
  }),
  place: plainPlace,
  fact: ({ name }) => ({ bind: name, copy: true }),
  face: 'text',
  operators: OPERATORS.text,
  write: plainText,
  parse: (cell) => cell,
})

export const email: Kind = address('email', EMAIL, 80)
export const url: Kind = address('url', WEBSITE, 200)
