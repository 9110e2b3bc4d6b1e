import { applyEdit } from '../../runtime/core/edit/apply-edit.ts'
import type { Edit, Spot } from '../../runtime/core/edit/edit.ts'
import { type Item, type ItemKey, itemsOf, keysByPlace } from '../../runtime/core/edit/entries.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import { inserted, namesIn, renamed } from './make-widget.ts'
import { childrenOf, moveTo, openSlot, spotBehind } from './placing.ts'

/** Several items, in document order; items inside another of them are left out because they move along. */
function outermost(document: Json, keys: readonly ItemKey[]): readonly Item[] {
  const items = itemsOf(document)
  const chosen = new Set(keys)
  const isInside = ({ parent }: Item): boolean => {
    const holder = items.get(parent)
    return holder !== undefined && (chosen.has(holder.key) || isInside(holder))
  }
  return [...items.values()].filter((item) => chosen.has(item.key) && !isInside(item))
}

/** One edit of several items; the last in the document comes first, so that the keys of the others stay valid. */
const backwards = (items: readonly Item[], act: (item: Item) => Edit): Edit => ({
  do: 'all',
  edits: items.toReversed().map(act),
})

export function removed(document: Json, keys: readonly ItemKey[]): Edit | null {
  const items = outermost(document, keys)
  return items.length === 0 ? null : backwards(items, ({ key }) => ({ do: 'remove', id: key }))
}

/** Moves items to a position whose index includes them; null if nothing would change. */
export function moved(document: Json, keys: readonly ItemKey[], spot: Spot): Edit | null {
  const items = outermost(document, keys)
  const [first, ...more] = items
  if (first === undefined) return null
  if (more.length === 0) return moveTo(document, first.key, spot)
  const before = items.filter(
    ({ parent, slot, index }) => parent === spot.into && slot === spot.slot && index < spot.index,
  )
  const index = spot.index - before.length
  const into = keyWithout(document, spot.into, items)
  if (into === null) return null
  return {
    do: 'all',
    edits: [
      ...items.toReversed().map(({ key }): Edit => ({ do: 'remove', id: key })),
      ...items.map(
        ({ written }, i): Edit => ({
          do: 'insert',
          spot: { ...spot, into, index: index + i },
          item: written,
        }),
      ),
    ],
  }
}

/** The key of a container after others were removed: among equal names, the first has no number. Null if it is removed as well. */
function keyWithout(document: Json, key: ItemKey, removedItems: readonly Item[]): ItemKey | null {
  const item = itemsOf(document).get(key)
  if (item === undefined) return key
  const remaining = removedItems.toReversed().reduce<Json>((now, { key: one }) => {
    return applyEdit(now, { do: 'remove', id: one })?.document ?? now
  }, document)
  const place = removedItems.toReversed().reduce((at, { at: other }) => placeWithout(at, other), item.at)
  return keysByPlace(remaining).get(place) ?? null
}

/** A position of the page after another item was removed: later items of its list move up. */
function placeWithout(at: string, removedItems: string): string {
  const list = removedItems.slice(0, removedItems.lastIndexOf('/') + 1)
  if (!at.startsWith(list)) return at
  const [own = '', ...below] = at.slice(list.length).split('/')
  return [
    list + (Number(own) > Number(removedItems.slice(list.length)) ? Number(own) - 1 : own),
    ...below,
  ].join('/')
}

/** Inserts copies after the last of them, with unused names. */
export function duplicated(document: Json, keys: readonly ItemKey[]): Edit | null {
  const items = outermost(document, keys)
  const last = items.at(-1)
  if (last === undefined) return null
  return inserted(
    document,
    items.map(({ written }) => written),
    {
      into: last.parent,
      slot: last.slot,
      index: last.index + 1,
    },
  )
}

/** Inserts items after the selection; null if none of them is allowed there. */
export function pasted(
  document: Json,
  pastedItems: readonly JsonObject[],
  selected: ItemKey | null,
): Edit | null {
  return pastedItems.length === 0 ? null : inserted(document, pastedItems, spotBehind(document, selected))
}

/** Wraps neighbours in a container at the position of the first; null unless they are in one list. */
export function wrapped(document: Json, keys: readonly ItemKey[], container: JsonObject): Edit | null {
  const items = outermost(document, keys)
  const [first] = items
  if (first === undefined || first.slot !== 'widgetList') return null
  if (items.some(({ parent, slot }) => parent !== first.parent || slot !== first.slot)) return null
  const holder = { ...renamed(container, namesIn(document)), widgetList: items.map(({ written }) => written) }
  const spot = { into: first.parent, slot: first.slot, index: first.index }
  return {
    do: 'all',
    edits: [
      ...items.toReversed().map(({ key }): Edit => ({ do: 'remove', id: key })),
      { do: 'insert', spot, item: holder },
    ],
  }
}

/** Replaces a container by its content; null if that is not allowed there. */
export function unwrapped(document: Json, key: ItemKey): Edit | null {
  const item = itemsOf(document).get(key)
  const slot = item === undefined ? null : openSlot(item.written)
  if (item === undefined || slot === null || item.slot !== 'widgetList') return null
  const children = childrenOf(document, key, slot)
  if (children.length === 0) return null
  const spot = { into: item.parent, slot: item.slot }
  return {
    do: 'all',
    edits: [
      { do: 'remove', id: key },
      ...children.map(
        ({ written }, i): Edit => ({ do: 'insert', spot: { ...spot, index: item.index + i }, item: written }),
      ),
    ],
  }
}

/** Hides items, or shows them if all are hidden; references are skipped. */
export function hidden(document: Json, keys: readonly ItemKey[]): Edit | null {
  const items = outermost(document, keys).filter(
    ({ written }) => typeof written.type === 'string' || typeof written.field === 'string',
  )
  if (items.length === 0) return null
  const isOn = items.every(isHidden)
  return {
    do: 'all',
    edits: items.map(({ key }) => ({
      do: 'set',
      id: key,
      path: ['options', 'hidden'],
      ...(isOn ? {} : { value: true }),
    })),
  }
}

export const isHidden = ({ written }: Item): boolean => ownValue(written.options, 'hidden') === true

/** Items in the format of the clipboard. */
export function toClipboard(document: Json, keys: readonly ItemKey[]): string {
  return JSON.stringify(
    outermost(document, keys).map(({ written }) => written),
    null,
    2,
  )
}

/** The widgets in a clipboard text, which may be a whole document; empty for anything else. */
export function fromClipboard(text: string): readonly JsonObject[] {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return []
  }
  const list = ownValue(value, 'widgetList')
  const parsed = isObject(value) && Array.isArray(list) && value.type === undefined ? list : value
  const all: readonly Json[] = Array.isArray(parsed) ? parsed : [parsed]
  return all.every(isThing) ? (all as readonly JsonObject[]) : []
}

const isThing = (value: Json): boolean =>
  isObject(value) &&
  ['type', 'field', 'fields', 'card', 'filters', 'sorts', 'fragment', 'ref'].some(
    (key) => typeof value[key] === 'string',
  )
