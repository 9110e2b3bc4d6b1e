/** A card of the customer list (DOMAIN 1.1.4). Codes are resolved by the client's dictionary. */
export interface CustomerCard {
  readonly id: string
  readonly name: string
  readonly level: string
  readonly deal_status: number
  readonly lock_status: boolean
  readonly starred: boolean
  readonly contact_name: string | null
  /** Of the primary contact, else of the customer. */
  readonly mobile: string | null
  readonly region: readonly string[]
  /** Written out: 广东省深圳市南山区. */
  readonly region_name: string
  readonly city_name: string
  readonly last_follow_at: string | null
  readonly last_follow_content: string | null
  readonly next_follow_at: string | null
  readonly overdue: boolean
  /** Days until the pool takes it back; null when nothing does. */
  readonly left_days: number | null
  readonly owner_id: string | null
  readonly owner_name: string | null
  readonly follow_status: 'none' | 'followed'
  readonly created_at: string
  readonly tags: readonly string[]
  readonly actions: readonly CustomerAction[]
}

/** Buttons the server offers for a row (DOMAIN 2.3). */
type CustomerAction =
  | 'follow'
  | 'edit'
  | 'contact_add'
  | 'contract_add'
  | 'transfer'
  | 'release'
  | 'lock'
  | 'unlock'
  | 'deal'
  | 'merge'
  | 'delete'
  | 'star'
  | 'claim'
  | 'assign'

/** One customer of GET /mini/customer/relation. */
export interface RelatedCustomer {
  /** Of the row, not of the customer. */
  readonly key: string
  /** Null, like `url`, when the asker does not see it; its name is masked then. */
  readonly id: string | null
  readonly url: string | null
  readonly name: string
  readonly masked: boolean
  readonly in_pool: boolean
  readonly level: string | null
  readonly deal_status: number | null
  readonly owner_name: string | null
  /** 1 at the top. */
  readonly depth: number
  /** The one that was asked for. */
  readonly current: boolean
}

/** POST /mini/customer/nearby: the nearest first. */
export interface CustomersNearby {
  readonly list: readonly (CustomerCard & {
    /** Metres. */
    readonly distance: number
    /** 850 米, 1.2 公里 */
    readonly distance_text: string
    readonly address: string | null
    readonly lng: number
    readonly lat: number
  })[]
  /** Maximum shown; present only where more are within the radius, all of them farther away. */
  readonly most?: number
}

/** GET /mini/customer/relation: a tree, each row followed by what hangs below it. */
export interface CustomerRelation {
  readonly list: readonly RelatedCustomer[]
  /** How many are looked at, from the top; present only where the tree holds more. */
  readonly most?: number
}

/** One row of GET /mini/customer/timeline: a follow-up, or a grey line of the system. */
export interface TimelineRow {
  readonly id: string
  readonly kind: 'follow' | 'owner' | 'bussiness' | 'contract' | 'payment' | 'deal' | 'stage'
  /** Everything but follow-ups: drawn grey. */
  readonly system: boolean
  readonly at: string
  readonly user_id: string | null
  readonly user_name: string | null
  readonly avatar: string | null
  /** The system's sentence; '' for a follow-up. */
  readonly title: string
  /** What was written: a follow-up's content, a reason. */
  readonly content: string
  readonly follow_id: string | null
  readonly method: string | null
  readonly result: string | null
  readonly images: readonly unknown[]
  readonly files: readonly unknown[]
  readonly comment_count: number
  readonly like_count: number
  /** By the asker. */
  readonly liked: boolean
  readonly next_follow_at: string | null
  /** Written down more than an hour after it happened (补录). */
  readonly late: boolean
}
