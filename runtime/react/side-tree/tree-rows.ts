import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { MAX_LEVELS } from '../../core/widgets/tree.ts'
import { textOf } from '../page/options.ts'

/** A row of the tree; the first one is the root, with the id ''. */
export interface TreeRow {
  readonly id: string
  readonly row: JsonObject
  readonly level: number
  readonly hasChildren: boolean
  /** Ids of its ancestors. */
  readonly above: readonly string[]
}

/** A nested list as rows from top to bottom; items without an id are left out. */
export function treeRows(
  list: Json | undefined,
  key: string,
  above: readonly string[] = [],
): readonly TreeRow[] {
  if (!Array.isArray(list) || above.length >= MAX_LEVELS) return []
  return (list as readonly Json[]).filter(isObject).flatMap((row) => {
    const id = textOf(row[key])
    if (id === '' || above.includes(id)) return []
    const below = treeRows(row.children, key, [...above, id])
    return [{ id, row, level: above.length + 1, hasChildren: below.length > 0, above }, ...below]
  })
}

/** The rows whose ancestors are all open. */
export const shownRows = (rows: readonly TreeRow[], closed: ReadonlySet<string>): readonly TreeRow[] =>
  rows.filter(({ above }) => !above.some((id) => closed.has(id)))

/** Whether a row may be moved below another one: not below itself, nor below its current parent. `to` is '' for the root. */
export function mayGo(rows: readonly TreeRow[], moved: string, to: string): boolean {
  const row = rows.find(({ id }) => id === moved)
  const target = rows.find(({ id }) => id === to)
  if (row === undefined || (to !== '' && target === undefined) || moved === to) return false
  return (row.above.at(-1) ?? '') !== to && target?.above.includes(moved) !== true
}
