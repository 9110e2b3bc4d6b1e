/** Body of POST /mini/duplicate/check (DOMAIN 8.4). */
export interface DuplicateQuestion {
  readonly entity: 'customer' | 'lead' | 'contact'
  readonly name?: string
  readonly mobile?: string
  readonly telephone?: string
  readonly creditCode?: string
  readonly website?: string
  /** The record being edited: never a duplicate of itself. */
  readonly excludeId?: string
}

/** What makes two records the same or alike (DOMAIN 1.1.3), strongest first. */
export type DuplicateMatch = 'credit_code' | 'name' | 'phone' | 'similar_name' | 'website'

export interface DuplicateItem {
  readonly module: 'customer' | 'customer_pool' | 'lead' | 'lead_pool' | 'contact'
  /** Only for records the asker may open. */
  readonly id: string | null
  /** Where `request` is offered: `targetId` of POST /mini/duplicate/request. It opens nothing. */
  readonly requestId: string | null
  /** The middle is masked when {@link masked}. */
  readonly name: string
  readonly masked: boolean
  readonly owner: string | null
  readonly dept: string | null
  readonly lastFollowAt: string | null
  readonly match: readonly DuplicateMatch[]
  readonly level: 'same' | 'similar'
  readonly actions: readonly ('view' | 'claim' | 'request' | 'create')[]
}

/** At most 10 items; `block`: a new record with these values will be refused. */
export interface DuplicateAnswer {
  readonly level: 'none' | 'similar' | 'same'
  readonly block: boolean
  readonly items: readonly DuplicateItem[]
}
