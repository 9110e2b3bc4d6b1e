import { clamp } from '../decimal.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import { pathsOf } from '../text/template.ts'

/** A column of a list that is drawn as a table. */
export interface ListColumn {
  readonly name: string
  readonly label: string
  /** With placeholders that read the row. */
  readonly text: string
  /** The sort key for the list's source; '' cannot be sorted. */
  readonly sort: string
  /** Width in px if there is room. */
  readonly width: number
  /** Px that its widest number takes, which is never cut; 0 for texts, whose beginning is enough. */
  readonly floor: number
  readonly atEnd: boolean
  /** Names the row: always shown, always first. */
  readonly primary: boolean
  /** Where there is not room for all: 1 stays longest, then 2 …; those that say nothing go first, from the last one on. */
  readonly keep: number
  /** The page that a cell links to, with placeholders that read the row; '' for none. */
  readonly url: string
  /** Where the colours of a choice come from (`dict` or `optionItems`), by the row's value of the column's name; null: none. */
  readonly choices: JsonObject | null
  /** How its value is edited in the cell; null: not editable. */
  readonly edit: JsonObject | null
}

/** A user's choice of columns: which, in which order, how wide. */
export interface ColumnChoice {
  /** Null: as many as fit. */
  readonly names: readonly string[] | null
  readonly widths: Readonly<Record<string, number>>
}

export const UNCHOSEN: ColumnChoice = { names: null, widths: {} }
export const MIN_WIDTH_PX = 64
export const MAX_WIDTH_PX = 640
const USUAL_PX = 130

/**
 * The option `columns` of a list; an entry without a name or a text is ignored, of equal names the first counts.
 *
 * @param holds  evaluates the rules for sorting (`sortOn`) and editing (`editOn`)
 */
export function readColumns(
  option: Json | undefined,
  holds: (rule: Json) => boolean = () => true,
): readonly ListColumn[] {
  const columns = Array.isArray(option) ? (option as readonly Json[]).filter(isObject) : []
  const byName = new Map<string, ListColumn>()
  for (const column of columns) {
    const read = readColumn(column, holds)
    if (read.name !== '' && read.text !== '' && !byName.has(read.name)) byName.set(read.name, read)
  }
  return [...byName.values()].sort((a, b) => Number(b.primary) - Number(a.primary))
}

function readColumn(column: JsonObject, holds: (rule: Json) => boolean): ListColumn {
  const word = (key: string): string => {
    const value = ownValue(column, key)
    return typeof value === 'string' ? value : ''
  }
  const isFor = (key: string): boolean => {
    const rule = ownValue(column, key)
    return rule === undefined || holds(rule)
  }
  const width = ownValue(column, 'width')
  const keep = ownValue(column, 'keep')
  return {
    name: word('name'),
    label: word('label'),
    text: word('text'),
    sort: isFor('sortOn') ? word('sort') : '',
    url: word('url'),
    width: typeof width === 'number' ? clampWidth(width) : USUAL_PX,
    floor: 0,
    atEnd: word('align') === 'end',
    primary: ownValue(column, 'primary') === true,
    keep: typeof keep === 'number' ? keep : Number.MAX_VALUE,
    choices: choicesOf(column),
    edit: isObject(column.edit) && isFor('editOn') ? column.edit : null,
  }
}

function choicesOf(column: JsonObject): JsonObject | null {
  const dict = ownValue(column, 'dict')
  const optionItems = ownValue(column, 'optionItems')
  if (typeof dict === 'string') return { dict }
  return Array.isArray(optionItems) ? { optionItems } : null
}

export const clampWidth = (px: number): number =>
  Math.round(clamp(Number.isFinite(px) ? px : USUAL_PX, MIN_WIDTH_PX, MAX_WIDTH_PX))

/** The columns for which rows have a value: a list may contain fewer fields than its module has. */
export function carriedColumns(
  columns: readonly ListColumn[],
  rows: readonly JsonObject[],
): readonly ListColumn[] {
  const [first] = rows
  if (first === undefined) return columns
  return columns.filter(({ text }) =>
    pathsOf(text).every((path) => {
      const [root, key = ''] = path.split('.')
      return root !== 'row' || Object.hasOwn(first, key)
    }),
  )
}

/**
 * The width of a column if text is `text` times as large as usual: a number, a date or a choice needs that many times its width; of a name (the
 * row's, or one with a link) the beginning is enough.
 */
export const roomOf = ({ primary, url, width, floor }: ListColumn, text: number): number =>
  Math.max(floor, primary || url !== '' ? width : width * text)

/**
 * The columns to draw: the chosen ones, else those that fit into `room` px, of which `keep` says which stay; always including the one that names the
 * row.
 */
export function shownColumns(
  columns: readonly ListColumn[],
  choice: ColumnChoice,
  room: number,
  text = 1,
): readonly ListColumn[] {
  const wide = columns.map((column) => ({ ...column, width: choice.widths[column.name] ?? column.width }))
  if (choice.names !== null) {
    const byName = new Map(wide.map((column) => [column.name, column]))
    const chosen = choice.names.flatMap((name) => byName.get(name) ?? [])
    return [...wide.filter(({ primary }) => primary), ...chosen.filter(({ primary }) => !primary)]
  }
  let remaining = room
  const rank = ({ primary, keep }: ListColumn) => (primary ? 0 : keep)
  const fitting = [...wide]
    .sort((a, b) => rank(a) - rank(b))
    .filter((column, index) => {
      remaining -= roomOf(column, text)
      return index === 0 || remaining >= 0
    })
  return wide.filter((column) => fitting.includes(column))
}

/** `names` with one column added or removed. */
export function toggledColumn(shown: readonly ListColumn[], name: string): readonly string[] {
  const names = shown.map((column) => column.name)
  return names.includes(name) ? names.filter((one) => one !== name) : [...names, name]
}

/** `names` with one column moved by `by` positions; the first position belongs to the row's name. */
export function movedColumn(shown: readonly ListColumn[], name: string, by: number): readonly string[] {
  const names = shown.map((column) => column.name)
  const from = names.indexOf(name)
  const first = shown[0]?.primary === true ? 1 : 0
  const to = clamp(from + by, first, names.length - 1)
  if (from < first || to === from) return names
  const rest = names.filter((one) => one !== name)
  return [...rest.slice(0, to), name, ...rest.slice(to)]
}

/** The stored choice, without outdated entries. */
export function readChoice(stored: Json | undefined): ColumnChoice {
  const names = ownValue(stored, 'names')
  const widths = ownValue(stored, 'widths')
  return {
    names: Array.isArray(names)
      ? (names as readonly Json[]).filter((name) => typeof name === 'string')
      : null,
    widths: isObject(widths)
      ? Object.fromEntries(
          Object.entries(widths).flatMap(([name, px]) =>
            typeof px === 'number' ? [[name, clampWidth(px)] as const] : [],
          ),
        )
      : {},
  }
}

export type Direction = 'asc' | 'desc'

/** The current sort direction of a column; null: the list is not sorted by it. `order` is the value of the page's field `sort`. */
export function directionOf({ sort }: ListColumn, order: Json | undefined): Direction | null {
  if (sort === '' || typeof order !== 'string') return null
  return order === `${sort} asc` ? 'asc' : order === `${sort} desc` ? 'desc' : null
}

/** The field's value after a click on the header: ascending, descending, then unsorted. */
export function nextOrder(column: ListColumn, order: Json | undefined): string | null {
  const now = directionOf(column, order)
  return now === 'desc' ? null : `${column.sort} ${now === null ? 'asc' : 'desc'}`
}
