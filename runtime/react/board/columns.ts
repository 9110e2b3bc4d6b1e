import { type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { objectsOf, textOf } from '../page/options.ts'

/** A column as the board draws it. */
export interface Column {
  readonly key: string
  readonly label: string
  readonly count: number
  readonly cards: readonly JsonObject[]
  readonly cursor: string
  /** The column as the page supplied it. */
  readonly given: JsonObject
}

/** A moved card, until the page has reloaded. */
export interface Moved {
  readonly card: string
  readonly from: string
  readonly to: string
}

/** True until the columns are loaded; a list without columns counts as loaded. */
export function awaitsColumns(value: Json): boolean {
  return !Array.isArray(value)
}

/** The columns of a value, with the keys that the board's options name. */
export function columnsOf(value: Json, options: JsonObject): readonly Column[] {
  const part = (given: JsonObject, option: string) => valueAt(given, textOf(options[option]))
  return objectsOf(value).map((given) => {
    const cards = objectsOf(part(given, 'rows') ?? [])
    const count = part(given, 'count')
    return {
      key: textOf(part(given, 'columnKey')),
      label: textOf(part(given, 'columnLabel')),
      count: typeof count === 'number' ? count : cards.length,
      cards,
      cursor: textOf(part(given, 'cursor')),
      given,
    }
  })
}

/** The columns with a moved card at the top of its new column. */
export function withMoved(
  columns: readonly Column[],
  moved: Moved | null,
  keyOf: (card: JsonObject) => string,
): readonly Column[] {
  const from = columns.find(({ key }) => key === moved?.from)
  const card = from?.cards.find((it) => keyOf(it) === moved?.card)
  if (moved === null || card === undefined || moved.from === moved.to) return columns
  return columns.map((column) => {
    if (column.key === moved.from)
      return { ...column, count: column.count - 1, cards: column.cards.filter((it) => it !== card) }
    if (column.key === moved.to) return { ...column, count: column.count + 1, cards: [card, ...column.cards] }
    return column
  })
}
