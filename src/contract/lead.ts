/** A card of the lead list (DOMAIN 1.15). Codes are resolved by the client's dictionary. */
export interface LeadCard {
  readonly id: string
  readonly name: string
  readonly company: string | null
  readonly contact_name: string | null
  readonly mobile: string | null
  readonly source: string | null
  readonly level: string | null
  readonly status: LeadStatus
  /** 0–100: how complete the lead is. */
  readonly score: number
  readonly region: readonly string[]
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
  readonly created_at: string
  readonly starred: boolean
  readonly actions: readonly LeadAction[]
}

/** 待跟进, 跟进中, 有意向, 已转化, 无效. */
type LeadStatus = 10 | 20 | 30 | 40 | 50

type LeadAction =
  | 'follow'
  | 'edit'
  | 'status'
  | 'convert'
  | 'invalid'
  | 'reactivate'
  | 'transfer'
  | 'release'
  | 'team'
  | 'delete'
  | 'star'
  | 'claim'
  | 'assign'
  | 'move'

/** POST /mini/lead/match: customers a lead may go into, best first. */
export interface LeadMatch {
  readonly customers: readonly {
    readonly id: string | null
    readonly name: string
    readonly masked: boolean
    readonly owner: string | null
    readonly dept: string | null
    readonly match: readonly string[]
    /** `similar`: only the name is alike, or the website is the same: to be offered, never chosen in advance. */
    readonly level: 'same' | 'similar'
    /** `link`: into this one; `request`: ask its owner first. */
    readonly actions: readonly ('link' | 'request' | 'claim')[]
    readonly contacts: readonly { readonly id: string; readonly name: string; readonly same: boolean }[]
  }[]
  /** What a new customer, contact and opportunity would begin with. */
  readonly proposal: {
    readonly customer: Readonly<Record<string, unknown>>
    readonly contact: Readonly<Record<string, unknown>> | null
    readonly bussiness: Readonly<Record<string, unknown>>
  }
}
