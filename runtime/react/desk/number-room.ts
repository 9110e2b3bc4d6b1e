import type { JsonObject } from '../../core/json.ts'
import { type ListColumn, roomOf } from '../../core/widgets/columns.ts'

/** The text of a column in a row. */
type Write = (column: ListColumn, row: JsonObject) => string

/** Writes a text once per column and row: every added page of rows asks for the texts of all loaded ones. */
export function writtenOnce(write: Write): Write {
  const texts = new Map<string, WeakMap<JsonObject, string>>()
  return (column, row) => {
    const ofColumn = texts.get(column.name) ?? new WeakMap<JsonObject, string>()
    texts.set(column.name, ofColumn)
    const text = ofColumn.get(row) ?? write(column, row)
    ofColumn.set(row, text)
    return text
  }
}

/** The rest of a row is for its name. */
const MOST_FOR_NUMBERS = 0.8

/**
 * The columns with the floors of their numbers: a number that is cut reads as another one.
 *
 * @param measure  px that a cell with this text takes
 */
export function withFloors(
  columns: readonly ListColumn[],
  rows: readonly JsonObject[],
  write: Write,
  measure: (text: string) => number,
): readonly ListColumn[] {
  return columns.map((column) => {
    if (!column.atEnd) return column
    let longest = ''
    for (const row of rows) {
      const text = write(column, row)
      if (text.length > longest.length) longest = text
    }
    return { ...column, floor: longest === '' ? 0 : measure(longest) }
  })
}

/** How the columns share `room` px, as tracks of a grid: by their widths; if there is not enough room, texts give way to numbers. */
export function tracksOf(columns: readonly ListColumn[], room: number, text: number): readonly string[] {
  const floors = columns.reduce((all, { floor }) => all + floor, 0)
  // More numbers than fit, because somebody chose too many columns: all become narrower.
  const isFit = floors <= room * MOST_FOR_NUMBERS
  return columns.map((column) => `minmax(${isFit ? column.floor : 0}px, ${roomOf(column, text)}fr)`)
}
