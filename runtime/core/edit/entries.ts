import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import { joinPointer } from '../page/pointer.ts'

/** Lists of an item that hold items: children of a container, columns, tabs, rows of a table. */
export const SLOTS = ['widgetList', 'cols', 'tabs', 'rows'] as const
export type Slot = (typeof SLOTS)[number]

/** Identifies an item of a page while its document is unchanged: `#id`, or its container's key and its name there. */
export type ItemKey = string

/** The page itself, as the container of the top-level items. */
export const PAGE: ItemKey = ''

/** One item of the document as written: a widget, a part of one, a row of a table, a reference. */
export interface Item {
  readonly key: ItemKey
  /** JSON pointer into the document. */
  readonly at: string
  readonly written: JsonObject
  readonly parent: ItemKey
  readonly slot: Slot
  readonly index: number
  /** Its name in its container, without the number that distinguishes equal names. */
  readonly name: string
}

/** The items of a document by key, in document order. */
export type Items = ReadonlyMap<ItemKey, Item>

const known = new WeakMap<object, Items>()

/** Every item of the document, those of its containers behind them. */
export function itemsOf(document: Json): Items {
  if (!isObject(document)) return new Map()
  const found = known.get(document)
  if (found !== undefined) return found
  const items = new Map<ItemKey, Item>()
  collect(document, PAGE, '', ['widgetList'], items)
  known.set(document, items)
  return items
}

const knownPlaces = new WeakMap<object, ReadonlyMap<string, ItemKey>>()

/** Keys of the items by their pointers. */
export function keysByPlace(document: Json): ReadonlyMap<string, ItemKey> {
  if (!isObject(document)) return new Map()
  const found = knownPlaces.get(document)
  if (found !== undefined) return found
  const places = new Map([...itemsOf(document).values()].map(({ at, key }) => [at, key]))
  knownPlaces.set(document, places)
  return places
}

/** An item without the items it contains. */
export function withoutChildren(written: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(written).filter(([key, value]) => !isSlot(key, value)))
}

/** True for a key of an item with a list of items. */
export function isSlot(key: string, value: Json | undefined): boolean {
  return (SLOTS as readonly string[]).includes(key) && Array.isArray(value)
}

/** The item's label, title or text; otherwise its name. */
export function titleOf(written: JsonObject): string {
  for (const option of ['label', 'title', 'textContent', 'text', 'name']) {
    const value = ownValue(written.options, option)
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return nameOf(written)
}

/** The name of an item among its neighbours: its own, that of its reference's target, or its type. */
function nameOf(written: JsonObject): string {
  const name = ownValue(written.options, 'name')
  if (typeof name === 'string' && name !== '') return name
  const { field, card, fields, facts, filters, sorts, fragment, ref, id, type } = written
  for (const reference of [field, card])
    if (typeof reference === 'string') return reference.slice(reference.indexOf('.') + 1)
  const part = typeof fragment === 'string' ? fragment : ref
  if (typeof part === 'string' && part !== '') return [part, ...givenName(written.with)].join(' ')
  for (const reference of [fields, facts, filters, sorts, id, type])
    if (typeof reference === 'string' && reference !== '') return reference
  return 'item'
}

/** A shared part may occur several times on a page: its name or label parameter distinguishes the occurrences. */
function givenName(given: Json | undefined): string[] {
  for (const key of ['name', 'label', 'field', 'module']) {
    const value = ownValue(given, key)
    if (typeof value === 'string' && value !== '') return [value]
  }
  return []
}

function collect(
  holder: JsonObject,
  parent: ItemKey,
  at: string,
  slots: readonly Slot[],
  into: Map<ItemKey, Item>,
): void {
  const seen = new Map<string, number>()
  for (const slot of slots) {
    const list = holder[slot]
    if (!Array.isArray(list)) continue
    list.forEach((written: Json, index) => {
      if (!isObject(written)) return
      const name = nameOf(written)
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      const place = joinPointer(joinPointer(at, slot), index)
      const key = keyOf(written, parent, name, count, into)
      into.set(key, { key, at: place, written, parent, slot, index, name })
      collect(written, key, place, SLOTS, into)
    })
  }
}

/** A duplicate id refers to its first item only. */
function keyOf(
  written: JsonObject,
  parent: ItemKey,
  name: string,
  count: number,
  taken: ReadonlyMap<ItemKey, Item>,
): ItemKey {
  const { id } = written
  const byId = typeof id === 'string' && id !== '' ? `#${escaped(id)}` : ''
  if (byId !== '' && !taken.has(byId)) return byId
  const key = `${parent}/${escaped(name)}`
  return count === 1 ? key : `${key}@${count}`
}

const escaped = (step: string): string =>
  step.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('@', '~2')
