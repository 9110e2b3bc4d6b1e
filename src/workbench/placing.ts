import type { Edit, Spot } from '../../runtime/core/edit/edit.ts'
import { type Item, type ItemKey, itemsOf, PAGE, type Slot } from '../../runtime/core/edit/entries.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'

/** A target position, and how it is shown: a line before or after an item, or the item itself. */
export interface Placing {
  readonly spot: Spot
  readonly at: ItemKey
  readonly side: 'before' | 'after' | 'inside'
}

const registry = createRegistry()

/** The list of a container for any kind of widget; null if it has none, or only specific parts. */
export function openSlot(written: JsonObject): Slot | null {
  const children = typeof written.type === 'string' ? registry.get(written.type)?.children : undefined
  return children === 'widgetList' || children === 'template' || children === 'rowList' ? 'widgetList' : null
}

/** Widgets at the end of a page that are not part of its content: fixed on the screen, or opened above it. */
const ASIDE = new Set<unknown>(['action-bar', 'fab', 'sheet', 'popup'])

/** The end of the page's content: before its bar and its sheets, including sheets in fragments; otherwise the very end. */
export function endOf(document: Json): Spot {
  const all = childrenOf(document, PAGE, 'widgetList')
  const last = all.findLastIndex(({ written }) => !ASIDE.has(written.type) && written.fragment === undefined)
  return { into: PAGE, slot: 'widgetList', index: last < 0 ? all.length : last + 1 }
}

/** Where a new item is inserted: after the selected one, or into it if it is an empty or open container. */
export function spotBehind(document: Json, selected: ItemKey | null): Spot {
  const item = selected === null ? undefined : itemsOf(document).get(selected)
  if (item === undefined) return endOf(document)
  const slot = openSlot(item.written)
  if (slot !== null) return { into: item.key, slot, index: childrenOf(document, item.key, slot).length }
  if (item.slot !== 'widgetList') {
    const holder = itemsOf(document).get(item.parent)
    return holder === undefined ? endOf(document) : after(holder)
  }
  return after(item)
}

/** True if this position is on a card, which shows values and has no inputs. */
export function isOnCard(document: Json, { into }: Spot): boolean {
  const items = itemsOf(document)
  for (let at = items.get(into); at !== undefined; at = items.get(at.parent)) {
    const { type } = at.written
    if (typeof type === 'string' && registry.get(type)?.children === 'template') return true
  }
  return false
}

/** A field of a module for a position: an input on a form, a value on a card. */
export function asPlaced(document: Json, item: JsonObject, spot: Spot): JsonObject {
  const { field, ...more } = item
  const isAlone = typeof field === 'string' && Object.keys(more).length === 0
  return isAlone && isOnCard(document, spot) ? { card: field } : item
}

const after = ({ parent, slot, index }: Item): Spot => ({ into: parent, slot, index: index + 1 })

export function childrenOf(document: Json, key: ItemKey, slot: Slot): readonly Item[] {
  return [...itemsOf(document).values()].filter((one) => one.parent === key && one.slot === slot)
}

/** Where something is dropped, given the vertical position, the item there and its box. */
export function dropSpot(
  document: Json,
  key: ItemKey | null,
  box: DOMRect | null,
  y: number,
): Placing | null {
  const item = key === null ? undefined : itemsOf(document).get(key)
  if (item === undefined || box === null) {
    const spot = endOf(document)
    const last = childrenOf(document, PAGE, 'widgetList')[spot.index - 1]
    return { spot, at: last?.key ?? PAGE, side: 'after' }
  }
  const part = (y - box.top) / Math.max(1, box.height)
  const slot = openSlot(item.written)
  const edge = slot === null ? 0.5 : 0.2
  if (part < edge && item.slot === 'widgetList')
    return { spot: { into: item.parent, slot: item.slot, index: item.index }, at: item.key, side: 'before' }
  if (slot !== null && (part < 1 - edge || item.slot !== 'widgetList'))
    return {
      spot: { into: item.key, slot, index: childrenOf(document, item.key, slot).length },
      at: item.key,
      side: 'inside',
    }
  if (item.slot !== 'widgetList') return null
  return { spot: after(item), at: item.key, side: 'after' }
}

/** True for an item and everything inside it. */
export function isWithin(document: Json, key: ItemKey, holder: ItemKey): boolean {
  const items = itemsOf(document)
  for (let at: ItemKey | undefined = key; at !== undefined; at = items.get(at)?.parent)
    if (at === holder) return true
  return false
}

/** Every position to which an item can be moved, from the top of the page to its end, including its current one. */
export function spotsFor(document: Json, key: ItemKey): readonly Placing[] {
  const walk = (into: ItemKey, slot: Slot): Placing[] => {
    const children = childrenOf(document, into, slot)
    return children.flatMap((item, i): Placing[] => {
      const { index } = item
      const before: Placing = { spot: { into, slot, index }, at: item.key, side: 'before' }
      const last: Placing = { spot: { into, slot, index: index + 1 }, at: item.key, side: 'after' }
      const isOpen = slot === 'widgetList'
      return [
        ...(isOpen ? [before] : []),
        ...(item.key === key ? [] : inside(item)),
        ...(isOpen && i === children.length - 1 ? [last] : []),
      ]
    })
  }
  const inside = (item: Item): Placing[] => {
    const open = openSlot(item.written)
    const parts = (['cols', 'tabs', 'rows'] as const).flatMap((slot) => walk(item.key, slot))
    if (open === null) return parts
    const inner = walk(item.key, open)
    return inner.length > 0
      ? inner
      : [{ spot: { into: item.key, slot: open, index: 0 }, at: item.key, side: 'inside' }]
  }
  return walk(PAGE, 'widgetList')
}

/** The move of an item to a position whose index includes the item; null if nothing would change. */
export function moveTo(document: Json, key: ItemKey, spot: Spot): Edit | null {
  const item = itemsOf(document).get(key)
  if (item === undefined) return null
  const isSameList = item.parent === spot.into && item.slot === spot.slot
  if (isSameList && (spot.index === item.index || spot.index === item.index + 1)) return null
  const index = isSameList && spot.index > item.index ? spot.index - 1 : spot.index
  return { do: 'move', id: key, spot: { ...spot, index } }
}

export type Direction = 'up' | 'down' | 'in' | 'out'

/** One step: among its neighbours, into the container before it, or out of its own; null if there is none. */
export function stepOf(document: Json, key: ItemKey, direction: Direction): Edit | null {
  const items = itemsOf(document)
  const item = items.get(key)
  if (item === undefined) return null
  const { parent, slot } = item
  const neighbours = childrenOf(document, parent, slot)
  const index = neighbours.indexOf(item)
  if (direction === 'up' || direction === 'down') {
    const other = neighbours[index + (direction === 'up' ? -1 : 1)]
    return other === undefined
      ? null
      : { do: 'move', id: key, spot: { into: parent, slot, index: other.index } }
  }
  if (slot !== 'widgetList') return null
  if (direction === 'in') {
    const holder = neighbours.slice(0, index).findLast(({ written }) => openSlot(written) !== null)
    const into = holder === undefined ? null : openSlot(holder.written)
    if (holder === undefined || into === null) return null
    const count = childrenOf(document, holder.key, into).length
    return { do: 'move', id: key, spot: { into: holder.key, slot: into, index: count } }
  }
  let holder = items.get(parent)
  while (holder !== undefined && holder.slot !== 'widgetList') holder = items.get(holder.parent)
  return holder === undefined ? null : { do: 'move', id: key, spot: after(holder) }
}
