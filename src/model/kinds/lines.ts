import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field, KindName } from '../description.ts'
import { INVALID, type Kind, namedPlace, OPERATORS } from '../kind.ts'

const LINES_MOST = 50

/** The rows of a sub-form as they came, for whoever checks their fields himself; INVALID for anything else and above its number. */
export function readRows(raw: Json, { most = LINES_MOST }: Field): readonly JsonObject[] | typeof INVALID {
  const isRows = Array.isArray(raw) && raw.length <= most && raw.every(isObject)
  return isRows ? (raw as readonly JsonObject[]) : INVALID
}

/** Rows with fields of their own. @param kindOf  reads the fields of a row; handed in, because this is one of the kinds */
export function linesKind(kindOf: (name: KindName) => Kind): Kind {
  const readRow = (row: JsonObject, fields: readonly Field[]): JsonObject | typeof INVALID => {
    const read: Record<string, Json> = {}
    for (const [name, raw] of Object.entries(row)) {
      const field = fields.find((one) => one.name === name)
      if (field === undefined) return INVALID
      const value =
        raw === null || raw === undefined || raw === '' ? null : kindOf(field.kind).read(raw, field)
      if (value === INVALID) return INVALID
      read[name] = value
    }
    const isWhole = fields.every(({ name, required }) => required !== true || (read[name] ?? null) !== null)
    return isWhole ? read : INVALID
  }
  return {
    name: 'lines',
    attributes: ['fields', 'most'],
    needs: [['fields']],
    stored: 'json',
    index: null,
    several: true,
    read(raw, field) {
      const given = readRows(raw, field)
      if (given === INVALID) return INVALID
      const rows = given.map((row) => readRow(row, field.fields ?? []))
      return rows.every((row) => row !== INVALID) ? rows : INVALID
    },
    fault: (field) => ({ code: 'record.most', places: { most: field.most ?? LINES_MOST } }),
    widget: () => ({ type: 'sub-form', options: { showRowNumber: true } }),
    place: namedPlace,
    long: true,
    face: null,
    operators: OPERATORS.none,
    write: (value) => (Array.isArray(value) ? String(value.length) : ''),
    parse: (cell) => cell,
  }
}
