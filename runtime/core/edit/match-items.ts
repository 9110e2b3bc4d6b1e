import type { Json } from '../json.ts'
import { type Item, type ItemKey, type Items, itemsOf, PAGE } from './entries.ts'

/** The correspondence between the items of two documents, in both directions. */
export interface Matches {
  readonly to: ReadonlyMap<ItemKey, Item>
  readonly from: ReadonlyMap<ItemKey, Item>
}

/**
 * Finds the items of `before` in `after`: by id; else by name in the same container; else by a name that is unique in both documents, which finds
 * items moved to another container.
 */
export function matchItems(before: Json, after: Json): Matches {
  const old = itemsOf(before)
  const now = itemsOf(after)
  const to = new Map<ItemKey, Item>()
  const from = new Map<ItemKey, Item>()
  const join = (a: Item, b: Item): void => {
    to.set(a.key, b)
    from.set(b.key, a)
  }
  for (const item of old.values()) {
    const match = item.key.startsWith('#') && !item.key.includes('/') ? now.get(item.key) : undefined
    if (match !== undefined) join(item, match)
  }
  joinNeighbours(old, now, { to, from }, join)
  const unique = uniqueByName(now, from)
  for (const [name, item] of uniqueByName(old, to)) {
    const match = unique.get(name)
    if (match !== undefined && canMatch(item, match)) join(item, match)
  }
  joinNeighbours(old, now, { to, from }, join)
  return { to, from }
}

/** Items of one name in corresponding containers; an item that gained or lost its id is still the same. */
function joinNeighbours(old: Items, now: Items, found: Matches, join: (a: Item, b: Item) => void): void {
  const waiting = groupsOf(now)
  for (const item of old.values()) {
    if (found.to.has(item.key)) continue
    const parent = item.parent === PAGE ? PAGE : found.to.get(item.parent)?.key
    if (parent === undefined) continue
    const candidates = waiting.get(groupOf(parent, item))
    const next =
      candidates?.findIndex((candidate) => !found.from.has(candidate.key) && canMatch(item, candidate)) ?? -1
    if (candidates !== undefined && next >= 0) join(item, candidates[next] as Item)
  }
}

const groupOf = (parent: ItemKey, { slot, name }: Item): string => `${parent} ${slot} ${name}`

function groupsOf(items: Items): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items.values()) {
    const group = groupOf(item.parent, item)
    groups.set(group, [...(groups.get(group) ?? []), item])
  }
  return groups
}

/** Two different ids are two widgets, whatever their names. */
const canMatch = (a: Item, b: Item): boolean =>
  typeof a.written.id !== 'string' || typeof b.written.id !== 'string' || a.written.id === b.written.id

function uniqueByName(items: Items, matched: ReadonlyMap<ItemKey, Item>): Map<string, Item> {
  const count = new Map<string, number>()
  for (const { name } of items.values()) count.set(name, (count.get(name) ?? 0) + 1)
  const only = new Map<string, Item>()
  for (const item of items.values())
    if (count.get(item.name) === 1 && !matched.has(item.key)) only.set(item.name, item)
  return only
}
