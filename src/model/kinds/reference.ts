import { INVALID, isCode, type Kind, OPERATORS, plainText, readCodes } from '../kind.ts'

const SEVERAL_MOST = 20

/** One id of something else; whether it exists, and whether the writer may see it, is asked where it is stored. */
const one = (name: 'ref' | 'user' | 'dept', attributes: Kind['attributes'], needs?: Kind['needs']): Kind => ({
  name,
  attributes,
  ...(needs === undefined ? {} : { needs }),
  stored: 'text',
  index: 'ref',
  read: (raw) => (isCode(raw) ? raw : INVALID),
  fault: () => ({ code: 'record.format' }),
  widget: (field) => ({ type: 'reference', options: { module: field.module ?? name } }),
  operators: OPERATORS.code,
  write: (value, field, words) => words.labelOf(field, plainText(value)) ?? plainText(value),
  parse: (cell, field, codes) => codes.codeOf(field, cell) ?? cell,
})

const several = (name: 'refs' | 'users', attributes: Kind['attributes'], needs?: Kind['needs']): Kind => ({
  name,
  attributes: [...attributes, 'most'],
  ...(needs === undefined ? {} : { needs }),
  stored: 'texts',
  index: 'ref',
  several: true,
  read: (raw, field) => readCodes(raw, field.most ?? SEVERAL_MOST),
  fault: (field) => ({ code: 'record.most', places: { most: field.most ?? SEVERAL_MOST } }),
  widget: (field) => ({
    type: 'reference',
    options: { module: field.module ?? 'user', multiple: true, most: field.most ?? SEVERAL_MOST },
  }),
  operators: OPERATORS.codes,
  write: (value, field, words) =>
    Array.isArray(value)
      ? value.map((id) => words.labelOf(field, String(id)) ?? String(id)).join('、')
      : plainText(value),
  parse: (cell, field, codes) =>
    cell.split(/[、,，;；]/).map((word) => codes.codeOf(field, word.trim()) ?? word.trim()),
})

/** A record of a module; with `inverse` the other side lists those that name it. */
export const ref = one('ref', ['module', 'inverse'], [['module']])
export const refs = several('refs', ['module'], [['module']])
/** A colleague of the tenant. */
export const user = one('user', [])
export const users = several('users', [])
export const dept = one('dept', [])
