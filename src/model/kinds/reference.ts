import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import {
  FORMAT_FAULT,
  INVALID,
  isCode,
  type Kind,
  OPERATORS,
  plainText,
  readCodes,
  splitCell,
  type WidgetShape,
} from '../kind.ts'

const SEVERAL_MOST = 20

/** Where the choices of a reference come from: the data source of the page that is called so. */
export const pickSource = ({ name }: Pick<Field, 'name'>): string => `pick_${name}`

/** A choice that is searched for; the page declares the source. */
function picker(field: Field, more: JsonObject = {}): WidgetShape {
  return {
    type: 'select',
    options: {
      remote: true,
      filterable: true,
      dsEnabled: true,
      dsName: pickSource(field),
      dataSetName: 'list',
      labelKey: 'label',
      valueKey: 'value',
      ...more,
    },
  }
}

/** One id of something else; whether it exists, and whether the writer may see it, is asked where it is stored. */
const one = (name: 'ref' | 'user' | 'dept', attributes: Kind['attributes'], needs?: Kind['needs']): Kind => ({
  name,
  attributes,
  ...(needs === undefined ? {} : { needs }),
  stored: 'text',
  index: 'ref',
  read: (raw) => (isCode(raw) ? raw : INVALID),
  fault: () => FORMAT_FAULT,
  widget: (field) => picker(field),
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
  widget: (field) => picker(field, { multiple: true, multipleLimit: field.most ?? SEVERAL_MOST }),
  operators: OPERATORS.codes,
  write: (value, field, words) =>
    Array.isArray(value)
      ? value.map((id) => words.labelOf(field, String(id)) ?? String(id)).join('、')
      : plainText(value),
  parse: (cell, field, codes) => splitCell(cell).map((word) => codes.codeOf(field, word) ?? word),
})

/** A record of a module; with `inverse` the other side lists those that name it. */
export const ref = one('ref', ['module', 'inverse'], [['module']])
export const refs = several('refs', ['module'], [['module']])
/** A colleague of the tenant. */
export const user = one('user', [])
export const users = several('users', [])
export const dept = one('dept', [])
