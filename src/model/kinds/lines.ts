import { moneyText } from '../../../runtime/core/decimal.ts'
import { isObject, type Json, type JsonObject, objectsIn } from '../../../runtime/core/json.ts'
import type { Field, KindName } from '../description.ts'
import { INVALID, type Kind, type KindFault, namedPlace, OPERATORS, type Words } from '../kind.ts'
import { labelText } from '../labels.ts'

const MAX_LINES = 50

/** The rows of a sub-form as they came, for callers that check the fields themselves; INVALID for anything else and above its number. */
export function readRows(raw: Json, { most = MAX_LINES }: Field): readonly JsonObject[] | typeof INVALID {
  const isRows = Array.isArray(raw) && raw.length <= most && raw.every(isObject)
  return isRows ? (raw as readonly JsonObject[]) : INVALID
}

const isNothing = (value: Json | undefined): boolean => value === null || value === undefined || value === ''

/** A row in which nobody wrote anything; a switch that is off is nothing. */
const isBlank = (row: JsonObject): boolean =>
  Object.values(row).every((value) => isNothing(value) || value === false)

/** A column that was stopped keeps its values, is asked of nobody and said nowhere. */
const isRequired = ({ required, retired }: Field): boolean => required === true && retired !== true

/** The first row that cannot stay, and why: its column, or null for one that nobody knows. */
interface RowFault {
  readonly row: number
  readonly field: Field | null
  readonly isMissing: boolean
  readonly raw: Json
}

/** A value among others in one text: what says an amount by itself is marked as one. */
const saidInRow = (kind: Kind, value: Json, field: Field, words: Words): string =>
  kind.name === 'money' && typeof value === 'number' ? moneyText(value) : kind.write(value, field, words)

/** The columns of a row, each by its name with its value in words; '' for an empty one. */
export const writeCells = (
  row: JsonObject,
  fields: readonly Field[],
  words: Words,
  kindOf: (name: KindName) => Kind,
): readonly (readonly [name: string, written: string])[] =>
  drawnColumns(fields).map((field) => {
    const value = row[field.name] ?? null
    return [field.name, isNothing(value) ? '' : saidInRow(kindOf(field.kind), value, field, words)]
  })

/** The columns that are said. */
export const drawnColumns = (fields: readonly Field[] = []): readonly Field[] =>
  fields.filter(({ retired }) => retired !== true)

/** Rows with fields of their own. @param kindOf  reads the fields of a row; handed in, because this is one of the kinds */
export function linesKind(kindOf: (name: KindName) => Kind): Kind {
  const faultOf = (row: JsonObject, at: number, fields: readonly Field[]): RowFault | null => {
    const fault = (field: Field | null, raw: Json): RowFault => ({
      row: at + 1,
      field,
      isMissing: isNothing(raw),
      raw,
    })
    if (!Object.keys(row).every((name) => fields.some((field) => field.name === name)))
      return fault(null, null)
    for (const field of fields) {
      const raw = row[field.name] ?? null
      if (isNothing(raw) ? isRequired(field) : kindOf(field.kind).read(raw, field) === INVALID)
        return fault(field, raw)
    }
    return null
  }
  const firstFault = (rows: readonly JsonObject[], { fields = [] }: Field): RowFault | null => {
    for (const [at, row] of rows.entries()) {
      const fault = faultOf(row, at, fields)
      if (fault !== null) return fault
    }
    return null
  }
  const readRow = (row: JsonObject, fields: readonly Field[]): JsonObject =>
    Object.fromEntries(
      fields.flatMap((field): [string, Json][] => {
        const raw = row[field.name] ?? null
        return isNothing(raw) ? [] : [[field.name, kindOf(field.kind).read(raw, field) as Json]]
      }),
    )
  const writeRow = (row: JsonObject, fields: readonly Field[], words: Words): string =>
    writeCells(row, fields, words, kindOf)
      .flatMap(([, written]) => (written === '' ? [] : [written]))
      .join(' · ')
  return {
    name: 'lines',
    filledBy: 'add',
    attributes: ['fields', 'most', 'rows'],
    needs: [['fields', 'rows']],
    stored: 'json',
    index: null,
    several: true,
    read(raw, field) {
      const given = readRows(raw, field)
      // Products are looked up by whoever writes them.
      if (given === INVALID || field.rows !== undefined) return given
      if (firstFault(given, field) !== null) return INVALID
      return given.filter((row) => !isBlank(row)).map((row) => readRow(row, field.fields ?? []))
    },
    fault(field, raw = null): KindFault {
      const rows = readRows(raw, field)
      const fault = rows === INVALID ? null : firstFault(rows, field)
      if (fault === null) return { code: 'record.most', places: { most: field.most ?? MAX_LINES } }
      if (fault.field === null) return { code: 'record.row-unknown', places: { row: fault.row } }
      const within = { row: fault.row, column: labelText(fault.field.label) }
      if (fault.isMissing) return { code: 'record.row-required', places: within }
      return { ...kindOf(fault.field.kind).fault(fault.field, fault.raw), within }
    },
    widget: () => ({ type: 'sub-form', options: { showRowNumber: true, showBlankRow: false } }),
    place: namedPlace,
    long: true,
    face: null,
    operators: OPERATORS.none,
    write: (value, { fields = [] }, words) =>
      objectsIn(value)
        .map((row) => writeRow(row, fields, words))
        .filter((row) => row !== '')
        .join('\n'),
    parse: (cell) => cell,
  }
}
