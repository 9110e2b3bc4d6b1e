import { type Json, sameJson } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'

/** A row of a flat tree: its children are the rows whose `parent` is its value. */
export interface TreeRow extends OptionItem {
  readonly parent?: Json
}

/** Maximum levels of a tree; deeper ones are cut off, so that a row that is its own ancestor does not loop. */
export const MAX_LEVELS = 10

/** Rows with parents as nested items, in the order of the rows. A root has no parent: null, undefined or ''. */
export function nestRows(rows: readonly TreeRow[]): readonly OptionItem[] {
  const byParent = new Map<string, TreeRow[]>()
  for (const row of rows) {
    const key = keyOf(row.parent)
    const siblings = byParent.get(key) ?? []
    siblings.push(row)
    byParent.set(key, siblings)
  }
  return childrenOf('', byParent, 1)
}

function childrenOf(
  parent: string,
  byParent: ReadonlyMap<string, readonly TreeRow[]>,
  level: number,
): readonly OptionItem[] {
  if (level > MAX_LEVELS) return []
  return (byParent.get(parent) ?? []).map(({ parent: _, ...item }) => {
    const children = childrenOf(keyOf(item.value), byParent, level + 1)
    return children.length === 0 ? item : { ...item, children }
  })
}

const keyOf = (value: Json | undefined): string =>
  value === null || value === undefined || value === '' ? '' : JSON.stringify(value)

/** The items from the root down to the one with that value; empty when there is none. */
export function pathToValue(items: readonly OptionItem[], value: Json): readonly OptionItem[] {
  for (const item of items) {
    if (sameJson(item.value, value)) return [item]
    const below = pathToValue(item.children ?? [], value)
    if (below.length > 0) return [item, ...below]
  }
  return []
}

/** The items named by a list of values per level, as far as it can be followed. */
export function pathAlong(items: readonly OptionItem[], values: readonly Json[]): readonly OptionItem[] {
  const [first, ...rest] = values
  const item = first === undefined ? undefined : items.find((one) => sameJson(one.value, first))
  return item === undefined ? [] : [item, ...pathAlong(item.children ?? [], rest)]
}
