import type { Json, JsonObject } from '../json.ts'
import type { ItemKey, Slot } from './entries.ts'

/** One act on a page. Items are named by their keys in the document as it is before the act. */
export type Edit =
  | SetValue
  | { readonly do: 'insert'; readonly spot: Spot; readonly item: JsonObject }
  | { readonly do: 'remove'; readonly id: ItemKey }
  /** `spot.index` counts without the item itself. */
  | { readonly do: 'move'; readonly id: ItemKey; readonly spot: Spot }
  /** Several as one; each names items as the one before left them. */
  | { readonly do: 'all'; readonly edits: readonly Edit[] }

/** Sets a value of an item, or of the document where no item is named; without `value` it is taken out. An empty path is all of it. */
export interface SetValue {
  readonly do: 'set'
  readonly id?: ItemKey
  readonly path: readonly string[]
  readonly value?: Json
  /** Where a new key stands among the others; else behind them. */
  readonly place?: number
}

/** A place in a container, or on the page itself. */
export interface Spot {
  readonly into: ItemKey
  readonly slot: Slot
  readonly index: number
}
