/** A follow-up as lists and the detail show it (DOMAIN 1.10). */
export interface FollowRow {
  readonly id: string
  readonly target_type: 'customer' | 'lead' | 'bussiness' | 'contract' | 'contact' | `m/${string}`
  readonly target_id: string
  readonly customer_id: string | null
  readonly customer_name: string | null
  /** Of a lead that has not become a customer. */
  readonly lead_name: string | null
  /** The own module of its record. */
  readonly record_module: string | null
  /** Of a record of an own module. */
  readonly record_title: string | null
  readonly author_id: string
  readonly author_name: string | null
  readonly avatar: string | null
  readonly method: string
  readonly content: string
  readonly result: string | null
  readonly followed_at: string
  readonly next_follow_at: string | null
  readonly next_plan: string | null
  readonly images: readonly unknown[]
  readonly files: readonly unknown[]
  readonly location: unknown
  /** The check-in in words; empty without one. */
  readonly place_text: string
  readonly comment_count: number
  readonly like_count: number
  /** By the asker. */
  readonly liked: boolean
  readonly created_at: string
  /** Written down more than an hour after it happened (补录). */
  readonly late: boolean
  readonly version: number
  readonly actions: readonly ('edit' | 'delete' | 'comment')[]
}

/** GET /mini/follow/detail. */
export interface FollowDetail {
  readonly record: FollowRow
  readonly contacts: readonly { readonly id: string; readonly name: string }[]
  readonly comments: readonly FollowComment[]
}
interface FollowComment {
  readonly id: string
  readonly content: string
  readonly author_id: string
  readonly author_name: string | null
  readonly reply_to_id: string | null
  /** Whom it answers. */
  readonly reply_to_name: string | null
  readonly created_at: string
}

/** GET /mini/follow/visits: the way of a day, in order. */
export interface VisitsOfDay {
  /** `yyyy-MM-dd`. */
  readonly day: string
  readonly list: readonly Visit[]
  readonly count: number
  /** The legs together; empty where no two stops have a position. */
  readonly way_text: string
}
interface Visit extends FollowRow {
  /** From 1. */
  readonly no: number
  readonly customer_address: string | null
  /** Where it was: as checked in, else where the customer is (for a map; no distance is measured from there). */
  readonly lng: number | null
  readonly lat: number | null
  /** How far it is from the last stop with a position, or that it has none. */
  readonly leg_text: string
}
