import { type Json, type JsonObject, sameJson } from '../json.ts'
import { type Item, type ItemKey, itemsOf, PAGE, type Slot, withoutChildren } from './entries.ts'
import { matchItems } from './match-items.ts'

/** One item in the three documents. */
export interface Node {
  readonly base?: Item
  readonly mine?: Item
  readonly theirs?: Item
}

/** The position of an item: its container (null: the page), and which of its lists. */
export interface Home {
  readonly parent: Node | null
  readonly slot: Slot
}

export type Side = 'base' | 'mine' | 'theirs'

/** The items of three documents, each once. */
export interface Nodes {
  readonly all: readonly Node[]
  home(node: Node, side: Side): Home | undefined
}

/** Combines corresponding items of `base`, `mine` and `theirs`; equal additions by both sides are one item. */
export function nodesOf(base: Json, mine: Json, theirs: Json): Nodes {
  const inMine = matchItems(base, mine)
  const inTheirs = matchItems(base, theirs)
  const by = {
    base: new Map<ItemKey, Node>(),
    mine: new Map<ItemKey, Node>(),
    theirs: new Map<ItemKey, Node>(),
  }
  const all: Node[] = []
  const keep = (node: Node): void => {
    all.push(node)
    for (const side of ['base', 'mine', 'theirs'] as const) {
      const item = node[side]
      if (item !== undefined) by[side].set(item.key, node)
    }
  }
  for (const item of itemsOf(base).values()) {
    const mine = inMine.to.get(item.key)
    const theirs = inTheirs.to.get(item.key)
    keep({ base: item, ...(mine === undefined ? {} : { mine }), ...(theirs === undefined ? {} : { theirs }) })
  }
  const added = [...itemsOf(theirs).values()].filter(({ key }) => !inTheirs.from.has(key))
  for (const item of itemsOf(mine).values()) {
    if (inMine.from.has(item.key)) continue
    const match = added.find((one) => isSameAddition(item, one, by))
    if (match !== undefined) added.splice(added.indexOf(match), 1)
    keep({ mine: item, ...(match === undefined ? {} : { theirs: match }) })
  }
  for (const item of added) keep({ theirs: item })
  return {
    all,
    home(node, side) {
      const item = node[side]
      if (item === undefined) return undefined
      return { parent: by[side].get(item.parent) ?? null, slot: item.slot }
    },
  }
}

function isSameAddition(
  mine: Item,
  theirs: Item,
  by: Readonly<Record<'mine' | 'theirs', ReadonlyMap<ItemKey, Node>>>,
): boolean {
  const { id } = mine.written
  if (typeof id === 'string' && id !== '' && id === theirs.written.id) return true
  const sameHome =
    mine.parent === PAGE ? theirs.parent === PAGE : by.mine.get(mine.parent) === by.theirs.get(theirs.parent)
  return sameHome && mine.slot === theirs.slot && sameJson(mine.written, theirs.written)
}

/** True if a side has changed the item itself. */
export function isTouched(node: Node, side: 'mine' | 'theirs'): boolean {
  return !sameJson(contentOf(node[side]), contentOf(node.base))
}

export const contentOf = (item: Item | undefined): JsonObject =>
  item === undefined ? {} : withoutChildren(item.written)
