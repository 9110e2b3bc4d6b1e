import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import {
  FORMAT_FAULT,
  INVALID,
  isCode,
  type Kind,
  type KindFault,
  namedPlace,
  OPERATORS,
  plainText,
  readCodes,
  splitCell,
  type WidgetShape,
} from '../kind.ts'
import { getSource, type IsOwn, ownCall, variable } from '../page-parts.ts'

const MAX_SEVERAL = 20

/** The data source of the page that the choices come from. */
const pickSource = ({ name }: Pick<Field, 'name'>): string => `pick_${name}`

/** A record or a colleague who is searched for; the page declares the source, the words stand beside the value. */
const picker = (field: Field, more: JsonObject = {}): WidgetShape => ({
  type: 'reference',
  options: { dsName: pickSource(field), nameField: `${field.name}_name`, ...more },
})

/** A department: all of them are there at once. */
const deptPicker = (field: Field): WidgetShape => ({
  type: 'select',
  options: {
    remote: true,
    filterable: true,
    dsEnabled: true,
    dsName: pickSource(field),
    dataSetName: 'list',
    labelKey: 'label',
    valueKey: 'value',
  },
})

/** The call that offers what a kind refers to. */
type Offers = (field: Field, isOwn: IsOwn) => string

const offersRecords: Offers = ({ module = '' }, isOwn) =>
  isOwn(module) ? ownCall(module, 'options') : `/mini/${module}/options`
const offersUsers: Offers = () => '/mini/user/options'
const offersDepts: Offers = () => '/mini/dept/tree'

const shown = (offers: Offers): Pick<Kind, 'source' | 'place' | 'face'> => ({
  source: (field, isOwn) =>
    getSource(pickSource(field), offers(field, isOwn), [
      variable('keyword', 'DSV.search'),
      variable('cursor', 'DSV.cursor'),
      variable('ids', 'DSV.ids'),
    ]),
  place: namedPlace,
  face: 'picker',
})

const MAX_NAME = 40

/** What stands for nothing there is: most often a name in a sheet that nobody, or no record, has. */
const notFound = (names: readonly string[]): KindFault => ({
  code: 'record.not-found',
  places: { name: names.map((name) => name.slice(0, MAX_NAME)).join('、') },
})

type OwnAttributes = Pick<Kind, 'attributes' | 'needs'>

/** One id of something else; whether it exists, and whether the writer may see it, is asked where it is stored. */
const one = (name: 'ref' | 'user' | 'dept', offers: Offers, own: OwnAttributes): Kind => ({
  name,
  filledBy: 'choose',
  ...own,
  ...shown(offers),
  stored: 'text',
  index: 'ref',
  read: (raw) => (isCode(raw) ? raw : INVALID),
  fault: (_, raw) => (typeof raw === 'string' ? notFound([raw]) : FORMAT_FAULT),
  widget: (field) => picker(field),
  operators: OPERATORS.code,
  write: (value, field, words) => words.labelOf(field, plainText(value)) ?? plainText(value),
  parse: (cell, field, codes) => codes.codeOf(field, cell) ?? cell,
})

const several = (name: 'refs' | 'users', offers: Offers, own: OwnAttributes): Kind => ({
  name,
  filledBy: 'choose',
  ...own,
  ...shown(offers),
  stored: 'texts',
  index: 'ref',
  several: true,
  read: (raw, field) => readCodes(raw, field.most ?? MAX_SEVERAL),
  fault(field, raw) {
    const unknown = Array.isArray(raw) ? raw.filter((one) => typeof one === 'string' && !isCode(one)) : []
    if (unknown.length > 0) return notFound(unknown.map(String))
    return { code: 'record.most', places: { most: field.most ?? MAX_SEVERAL } }
  },
  widget: (field) => picker(field, { multiple: true, multipleLimit: field.most ?? MAX_SEVERAL }),
  operators: OPERATORS.codes,
  write: (value, field, words) =>
    Array.isArray(value)
      ? value.map((id) => words.labelOf(field, String(id)) ?? String(id)).join('、')
      : plainText(value),
  parse: (cell, field, codes) => splitCell(cell).map((word) => codes.codeOf(field, word) ?? word),
})

/** A record of a module; with `inverse` the other side lists those that name it. */
export const ref = one('ref', offersRecords, { attributes: ['module', 'inverse'], needs: [['module']] })
export const refs = several('refs', offersRecords, { attributes: ['module', 'most'], needs: [['module']] })
/** A colleague of the tenant. */
export const user = one('user', offersUsers, { attributes: [] })
export const users = several('users', offersUsers, { attributes: ['most'] })
export const dept: Kind = { ...one('dept', offersDepts, { attributes: [] }), widget: deptPicker }
