import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { DictMap } from '../../../contract/dict.ts'
import type { Field } from '../../../model/description.ts'
import type { Codes } from '../../../model/kind.ts'
import { digitsOf, MOBILE } from '../../../model/kinds/contact.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { writtenDate } from '../../../model/written-date.ts'
import type { InputField } from '../../kernel/fields/input.ts'
import { regionCalled } from '../../kernel/regions/regions.ts'
import { text } from '../../kernel/text/text.ts'
import { type InputColumn, labelsOf } from './columns.ts'
import type { Mapping } from './mapping.ts'
import type { ReadCell } from './parse-sheet.ts'

/** The cells of a row as the body of a write; empty cells are left out. */
export type RowReader = (cells: readonly ReadCell[]) => JsonObject

/** Reads rows by a mapping: labels become values of their dictionary, whatever is none stays for the entity's own rules to refuse. */
export function createRowReader(
  mapping: Mapping,
  columns: readonly InputColumn[],
  dicts: DictMap,
  own: Codes,
): RowReader {
  const read = mapping.flatMap((name, at) => {
    const column = columns.find((one) => one.name === name)
    return column === undefined ? [] : [{ at, column, codes: codesOf(dicts, column.dict) }]
  })
  const known = new Set(columns.map((column) => column.name))
  return (cells) => {
    const entries = read.flatMap(({ at, column, codes }): [string, Json][] => {
      if (column.field === undefined) return []
      const value = cellValue(cells[at] ?? null, column.field, codes)
      return value === null ? [] : [[column.name, value]]
    })
    const ext = read.flatMap(({ at, column }): [string, Json][] => {
      const value = column.own === undefined ? null : ownValue(cells[at] ?? null, column.own, own)
      return column.own === undefined || value === null ? [] : [[column.own.name, value]]
    })
    return {
      ...phonesInPlace(Object.fromEntries(entries), known),
      ...(ext.length === 0 ? {} : { ext: Object.fromEntries(ext) }),
    }
  }
}

const PHONES = /^(?:contact_)?(?:mobile2?|telephone)$/

/** Numbers without what people write between the digits; a mobile number under 电话 is a mobile number. */
function phonesInPlace(row: JsonObject, known: ReadonlySet<string>): JsonObject {
  const clean = Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, Json] => [
      name,
      PHONES.test(name) && typeof value === 'string' ? digitsOf(value) : (value ?? null),
    ]),
  )
  const { telephone, ...rest } = clean
  const isFree = known.has('mobile') && (clean.mobile ?? null) === null
  return typeof telephone === 'string' && MOBILE.test(telephone) && isFree
    ? { ...rest, mobile: telephone }
    : clean
}

const codesOf = (dicts: DictMap, dict: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    [...labelsOf(dicts, dict)].flatMap(([value, label]) => [
      [label, value] as const,
      [value, value] as const,
    ]),
  )

/** `12,000.50` is a number where it is written as a text. */
function numberOf(written: string): number | string {
  const bare = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written) ? written.replaceAll(',', '') : written
  return Number.isNaN(Number(bare)) ? written : Number(bare)
}

function cellValue(cell: ReadCell, field: InputField, codes: ReadonlyMap<string, string>): Json {
  const written = textOf(cell, field.kind === 'day')
  if (written === '') return null
  if (field.kind === 'day' || field.kind === 'moment') return writtenDate(written, field.kind === 'day')
  if (field.kind === 'number') return numberOf(written)
  if (field.kind === 'flag') return YES.has(written) ? true : NO.has(written) ? false : written
  if (field.kind === 'dict') return codes.get(written) ?? written.slice(0, 64)
  if (field.kind === 'region') return [...(regionCalled(written) ?? [written])]
  if (field.kind === 'dicts')
    return written.split(/[、,，;；]/).map((one) => codes.get(one.trim()) ?? one.trim())
  return written
}

function ownValue(cell: ReadCell, field: Field, codes: Codes): Json {
  const written = textOf(cell, field.kind === 'day')
  return written === '' ? null : kindOf(field.kind).parse(written, field, codes)
}

const YES = new Set([text('widget.yes'), '1', 'true', 'TRUE', 'Y'])
const NO = new Set([text('widget.no'), '0', 'false', 'FALSE', 'N'])

/** A cell as text; the apostrophe our own sheets write before risky texts is taken off. */
export function textOf(cell: ReadCell, isDay = false): string {
  if (cell === null) return ''
  if (cell instanceof Date)
    return cell
      .toISOString()
      .slice(0, isDay ? 10 : 19)
      .replace('T', ' ')
  return String(cell)
    .trim()
    .replace(/^'(?=[=@+\-\t\r])/, '')
}
