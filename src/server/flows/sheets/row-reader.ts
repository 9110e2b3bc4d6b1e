import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Codes } from '../../../model/kind.ts'
import { MOBILE } from '../../../model/kinds/contact.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { Mapping } from './mapping.ts'
import type { ReadCell } from './parse-sheet.ts'
import type { SheetColumn } from './sheet-column.ts'

/** The cells of a row as the body of a write; empty cells are left out. */
export type RowReader = (cells: readonly ReadCell[]) => JsonObject

/** Reads rows by a mapping, each cell by the kind of its field: an invalid value is passed on to be refused by the entity's own rules. */
export function createRowReader(mapping: Mapping, columns: readonly SheetColumn[], codes: Codes): RowReader {
  const read = mapping.flatMap((name, at) => {
    const column = columns.find((one) => one.name === name)
    return column === undefined ? [] : [{ at, column }]
  })
  const hasMobile = columns.some(({ name }) => name === 'mobile')
  return (cells) => {
    const filled = read.flatMap(({ at, column }): { column: SheetColumn; value: Json }[] => {
      const written = textOf(cells[at] ?? null, column.field.kind === 'day')
      const value = written === '' ? null : kindOf(column.field.kind).parse(written, column.field, codes)
      return value === null ? [] : [{ column, value }]
    })
    const plain = filled.filter(({ column }) => column.own === undefined)
    const ext = filled.flatMap(({ column: { own }, value }) =>
      own === undefined ? [] : [[own, value] as const],
    )
    const row = Object.fromEntries(plain.map(({ column, value }) => [column.name, value]))
    return {
      ...(hasMobile ? phonesInPlace(row) : row),
      ...(ext.length === 0 ? {} : { ext: Object.fromEntries(ext) }),
    }
  }
}

/** A mobile number under 电话 is stored as a mobile number. */
function phonesInPlace(row: JsonObject): JsonObject {
  const { telephone, ...rest } = row
  return typeof telephone === 'string' && MOBILE.test(telephone) && (row.mobile ?? null) === null
    ? { ...rest, mobile: telephone }
    : row
}

/** A cell as text; removes the apostrophe that our own sheets write before texts that look like formulas. */
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
