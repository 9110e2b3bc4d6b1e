/** The eight numbers of the home page (DOMAIN 3). */
export const STATISTIC_KEYS = [
  'new_customer',
  'new_public_customer',
  'new_bussiness',
  'new_customer_follow',
  'new_contract',
  'new_contract_total',
  'new_amount',
  'new_amount_total',
] as const
export type StatisticKey = (typeof STATISTIC_KEYS)[number]

/**
 * `[0, current, previous]`: the start of the count-up, the period's number (null for the amount of a single record that is not the caller's to see), and
 * that of the period before (null when 0, too).
 */
export type Statistic = readonly [0, number | null, number | null]

/** A tile with the new records of a module of the tenant's own, as the page draws it. */
export interface OwnNumber {
  /** The key of its rows in POST /mini/stats/detail: `m.ticket`. */
  readonly name: string
  readonly label: string
  readonly value: Statistic
  readonly compare: boolean
  readonly unit: string
}

/** GET /mini/home/overview?period&scope[&from&to]. */
export interface HomeOverview {
  readonly statistics: Readonly<Record<StatisticKey, Statistic>>
  /** New records of own modules that ask for a tile, as far as the caller sees them. */
  readonly own: readonly OwnNumber[]
  /** What waits for the caller now; `overdue` and `today`: customers of the scope, all others their own. */
  readonly todo: {
    readonly overdue: number
    readonly today: number
    readonly approvals: number
    readonly recycling: number
    readonly payments_due: number
    readonly contracts_ending: number
    /** To-dos of today that are not overdue yet. */
    readonly due_today: number
    /** The first of what is to be done today, what is overdue before it. */
    readonly plan: readonly HomePlan[]
    /** Open to-dos of the to-do page, approvals included. */
    readonly open: number
  }
  /** Of the current month; `rate` in percent, null without a target. */
  readonly target: { readonly contract: TargetProgress; readonly payment: TargetProgress }
  /** Customers of the scope not followed for a number of days. */
  readonly forgotten: Readonly<Record<'7' | '15' | '30' | '90', number>>
  /** Open opportunities of the scope by stage. */
  readonly funnel: readonly {
    readonly stage: string
    readonly count: number
    readonly amount: number | null
    readonly weighted: number | null
  }[]
  /** By contract amount of the period; empty without the right to see it. */
  readonly rank: { readonly top3: readonly RankRow[]; readonly mine: RankRow | null }
  /** New customers, follow-ups, contract and payment totals of this month and the five before. */
  readonly trend: {
    readonly months: readonly string[]
    readonly customer: readonly (number | null)[]
    readonly follow: readonly (number | null)[]
    readonly contract: readonly (number | null)[]
    readonly payment: readonly (number | null)[]
  }
  /** Announcements that are still shown, newest first. */
  readonly notices: readonly HomeNotice[]
  readonly serverTime: string
}
/** A line of today's plan. */
interface HomePlan {
  readonly id: string
  readonly title: string
  /** Of what waits for approval. */
  readonly amount: number | null
  readonly due_at: string
  readonly all_day: boolean
  readonly overdue: boolean
  /** Where it is done. */
  readonly url: string
}
interface HomeNotice {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly published_at: string
}
export interface TargetProgress {
  readonly target: number
  readonly done: number | null
  readonly rate: number | null
}
export interface RankRow {
  readonly place: number
  readonly user_id: string
  readonly name: string
  readonly amount: number | null
}
