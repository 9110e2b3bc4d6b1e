import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { FilterOp } from '../contract/list.ts'
import type { Field, KindName } from './description.ts'
import type { IsOwn } from './page-parts.ts'

/** A value that is not what the field holds. */
export const INVALID: unique symbol = Symbol('invalid')

/** How a value lies in the database. `moment` goes over the wire as wall-clock text and is stored as an instant. */
export type Stored = 'text' | 'number' | 'flag' | 'day' | 'moment' | 'texts' | 'json' | 'none'

/** The narrow table that mirrors values which are filtered, sorted, unique or refer; null: the kind has no index. */
export type IndexClass = 'text' | 'number' | 'moment' | 'ref'

/** Why a value cannot stay: a code of the text catalogue and its places; `label` is added by whoever says it. */
export interface KindFault {
  readonly code:
    | 'record.length'
    | 'record.length-each'
    | 'record.not-offered'
    | 'record.not-found'
    | 'record.region'
    | 'record.most'
    | 'record.format'
    | 'record.foreign-file'
    | 'record.min'
    | 'record.max'
    | 'record.decimals'
    | 'record.whole'
    | 'record.too-slow'
    | 'record.row-required'
    | 'record.row-unknown'
  readonly places?: Readonly<Record<string, number | string>>
  /** Where it is, if in a row: its number from 1, and the label of its column. */
  readonly within?: { readonly row: number; readonly column: string }
}

/** Words behind stored codes, as the reader's tenant has them; `undefined` for a code nobody knows. */
export interface Words {
  readonly labelOf: (field: Field, code: string) => string | undefined
  readonly regionOf: (codes: readonly string[]) => string
  readonly yes: string
  readonly no: string
}

/** Codes behind words, for sheets that people filled in; `undefined` for a word nobody knows. */
export interface Codes {
  readonly codeOf: (field: Field, word: string) => string | undefined
  readonly regionCalled: (words: string) => readonly string[] | undefined
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

/** A widget of a form page, without the keys that every field shares. */
export interface WidgetShape {
  readonly type: string
  readonly options?: JsonObject
}

/** How the filter sheet of a list asks for a value. */
export type FilterFace =
  | 'choices'
  | 'picker'
  | 'range'
  | 'days'
  | 'moments'
  | 'switch'
  | 'text'
  | 'words'
  | 'region'

/** Words that parts of a form need, from the text catalogue. */
export type PartWords = Readonly<
  Record<'lng' | 'lat' | 'locate' | 'located' | 'clearPlace' | 'address' | 'yuan', string>
>

export interface FormParts {
  /** The first is the one that people write; what the field asks for stands there. */
  readonly widgets: readonly JsonObject[]
  readonly body: JsonObject
  /** A rule: true where the others hold a value, so that the first may be empty though the field is required. */
  readonly held: JsonObject
}

/** What somebody does who fills a field in, as a sentence asks for it that finds it empty. */
export type FillingIn = 'write' | 'choose' | 'upload' | 'add'

/** Everything there is to know about one kind of field. Adding a kind is adding one file and its line in `kinds/index.ts`. */
export interface Kind {
  readonly name: KindName
  /** Attributes of a field that this kind reads, beside those that every field may have. */
  readonly attributes: readonly (keyof Field)[]
  /** Those of them without which there is no field; one of each inner list. */
  readonly needs?: readonly (readonly (keyof Field)[])[]
  readonly stored: Stored
  readonly index: IndexClass | null
  /** The value is a list, `[]` where it is empty; in the index each of them has a row. */
  readonly several?: true
  /** Nobody writes it: the system does. */
  readonly derived?: true
  /**
   * Reads a wire value that is not empty.
   * @returns what is stored (a moment as wall-clock text), or {@link INVALID}
   */
  readonly read: (raw: Json, field: Field) => Json | typeof INVALID
  /** Why a value cannot stay. @param raw  the value, where it is at hand */
  readonly fault: (field: Field, raw?: Json) => KindFault
  readonly widget: (field: Field) => WidgetShape
  /** What its values are counted in, said behind them where they are typed. */
  readonly unit?: (words: PartWords) => string
  /** Fields of a form that stand for the value where no widget holds it, and the part of the body they make. */
  readonly parts?: (field: Field, words: PartWords) => FormParts
  /** What those fields are filled with, from the value on the wire. */
  readonly wireParts?: (value: Json, field: Field) => JsonObject
  /** The data source of a page that its choices come from. */
  readonly source?: (field: Field, isOwn: IsOwn) => JsonObject
  /** The value in a text of a page; `at` is its address. */
  readonly place: (at: string, field: Field) => string
  /** Left out: it is written. */
  readonly filledBy?: FillingIn
  /** Too long for a line of a card. */
  readonly long?: true
  /** What a row of a detail says instead of {@link place}; null: the place. */
  readonly fact?: (field: Field) => JsonObject | null
  /** Where the colours of what was chosen are: `dict`, or `optionItems`. */
  readonly colours?: (field: Field) => JsonObject | null
  /** Null: no filter sheet asks for it. */
  readonly face: FilterFace | null
  readonly operators: readonly FilterOp[]
  readonly sorts?: true
  /** The value as cards, sheets and the history say it; '' for an empty one. */
  readonly write: (value: Json, field: Field, words: Words) => string
  /** The value of a cell that somebody filled in; what cannot be read stays as it is, for {@link read} to refuse. */
  readonly parse: (cell: string, field: Field, codes: Codes) => Json
}

const COMMON: readonly FilterOp[] = ['empty', 'notEmpty']
/** Operators by what is compared. */
export const OPERATORS = {
  text: [...COMMON, 'eq', 'ne', 'in', 'nin', 'contains', 'startsWith'],
  code: [...COMMON, 'eq', 'ne', 'in', 'nin'],
  codes: [...COMMON, 'eq', 'ne', 'in', 'nin', 'contains'],
  number: [...COMMON, 'eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'between'],
  flag: ['eq', 'ne'],
  time: [...COMMON, 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'rel'],
  none: COMMON,
} as const satisfies Readonly<Record<string, readonly FilterOp[]>>

export const FORMAT_FAULT: KindFault = { code: 'record.format' }

/** A value as a plain text. */
export function plainText(value: Json): string {
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The place of a value that is said as it is. */
export const plainPlace = (at: string): string => `{{ ${at} }}`

/** The place of a value whose words stand beside it on the wire. */
export const namedPlace = (at: string): string => `{{ ${at}_name }}`

const CODE = /^[\w.-]{1,64}$/

/** An id or a stable code: letters, digits, `_`, `.`, `-`, 64 at most. */
export function isCode(raw: unknown): raw is string {
  return typeof raw === 'string' && CODE.test(raw)
}

/** A list of codes without repeats; INVALID for anything else and above `most`. */
export function readCodes(raw: Json, maximum: number): readonly string[] | typeof INVALID {
  if (!Array.isArray(raw) || raw.length > maximum || !raw.every(isCode)) return INVALID
  return [...new Set(raw)]
}

/** Words of a cell that holds several. */
export function splitCell(cell: string): readonly string[] {
  return cell
    .split(/[、,，;；]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
