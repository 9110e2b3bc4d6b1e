import type { Json, JsonObject } from '../json.ts'
import type { ItemKey, Slot } from './entries.ts'

/** One edit of a page. Items are named by their keys in the document before the edit. */
export type Edit =
  | SetValue
  | { readonly do: 'insert'; readonly spot: Spot; readonly item: JsonObject }
  | { readonly do: 'remove'; readonly id: ItemKey }
  /** `spot.index` counts without the item itself. */
  | { readonly do: 'move'; readonly id: ItemKey; readonly spot: Spot }
  /** Several edits as one; each names items in the result of the previous one. */
  | { readonly do: 'all'; readonly edits: readonly Edit[] }

/** Sets a value of an item, or of the document if no item is named; without `value` it is removed. An empty path means all of it. */
export interface SetValue {
  readonly do: 'set'
  readonly id?: ItemKey
  readonly path: readonly string[]
  readonly value?: Json
  /** The position of a new key among the others; default: last. */
  readonly place?: number
}

/** A position in a container, or on the page itself. */
export interface Spot {
  readonly into: ItemKey
  readonly slot: Slot
  readonly index: number
}
