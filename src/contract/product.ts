/** Buttons the server offers for a product (DOMAIN 1.9). */
export type ProductAction = 'edit' | 'on_shelf' | 'off_shelf' | 'delete'

/** A card of the product list (DOMAIN 1.15). What it costs is never on a card. */
export interface ProductCard {
  readonly id: string
  readonly name: string
  readonly product_no: string
  readonly category_id: string
  readonly category_path: readonly string[]
  readonly unit: string
  readonly price: number
  readonly min_price: number | null
  readonly spec: string | null
  /** The first picture, null without one. */
  readonly thumbnail: string | null
  readonly status: 0 | 1
  readonly sort: number
  /** Sold in the last 90 days by contracts in effect; only in lists sorted by it, else null. */
  readonly sold_90d: number | null
  readonly actions: readonly ProductAction[]
}
