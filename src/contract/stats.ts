import type { StatisticKey } from './home.ts'

/** A row of POST /mini/stats/detail: one of the rows a tile counts. */
export interface StatRow {
  readonly id: string
  /** One of the product's, or `m/<module>`. */
  readonly entity: string
  readonly title: string
  readonly sub: string
  /** What it adds to a tile of money, in yuan; not there in one that counts, null where it is not the caller's to see. */
  readonly value?: number | null
  /** A day or a date-time of the tenant. */
  readonly at: string
  readonly owner_name: string | null
  /** Its screen; '' when it counts but is not the caller's to open, which `why` says. */
  readonly url: string
  readonly why?: string
}

/** Answer of POST /mini/stats/detail, beside the page of rows. */
export interface StatDetail {
  readonly list: readonly StatRow[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly key: string
  /** What the figure is called; '' for the product's tiles, which their page names. */
  readonly label: string
  /** The figure itself, null if it is not the caller's to know, and what it is. */
  readonly number: number | null
  readonly unit: 'count' | 'money' | 'percent'
  /** How many rows there are in all. */
  readonly count: number
  /** For follow-ups: different customers. */
  readonly customers: number | null
}

/** Answer of POST /mini/stats/trend: one value per bucket and key. Buckets after today's are left out unless something is dated in or after them. */
export interface StatTrend {
  readonly labels: readonly string[]
  readonly buckets: readonly { readonly from: string; readonly to: string }[]
  readonly series: readonly {
    readonly key: StatisticKey
    readonly label: string
    /** Null for the amount of a single record that is not the caller's to see. */
    readonly values: readonly (number | null)[]
  }[]
}

export const TREND_BUCKETS = ['day', 'week', 'month'] as const
export type TrendBucket = (typeof TREND_BUCKETS)[number]

/** Answer of POST /mini/stats/funnel. */
export interface StatFunnel {
  readonly steps: readonly FunnelStep[]
  /** Won of won and lost in the period, in percent; null when nothing was closed. */
  readonly winRate: { readonly count: number | null; readonly amount: number | null }
  readonly closed: {
    readonly won: number
    readonly lost: number
    /** Null like those of steps. */
    readonly wonAmount: number | null
    readonly lostAmount: number | null
  }
}
export interface FunnelStep {
  readonly key: string
  readonly label: string
  readonly count: number
  /** Null for the amount of a single record that is not the caller's to see. */
  readonly amount: number | null
  readonly weighted: number | null
  /** Of the step before, in percent; null at the first. */
  readonly rate: number | null
  /** Median days from the step before; of a stage, those that what is open has been in it; null without any. */
  readonly days: number | null
}

/** What people and departments are ranked by (DOMAIN 3). */
export const RANK_METRICS = [
  'contract_amount',
  'payment_amount',
  'contract_count',
  'new_customer',
  'follow_count',
  'followed_customers',
  'visit_count',
  'call_count',
  'win_rate',
] as const
export type RankMetric = (typeof RANK_METRICS)[number]

/** Answer of POST /mini/stats/rank: the first 50, and one's own place. Equals share a place. */
export interface StatRank {
  readonly metric: RankMetric
  readonly rows: readonly StatRankRow[]
  readonly own: StatRankRow | null
}
export interface StatRankRow {
  readonly place: number
  readonly id: string
  readonly name: string
  readonly avatar: string
  /** Null for the amount of a single record that is not the caller's to see: in `own` only. */
  readonly value: number | null
  readonly mine: boolean
  /** Whether the caller may open the rows it counts. */
  readonly opens: boolean
}

/** GET /mini/stats/target?year&objectType&objectId; POST saves `months` of it. */
export interface StatTarget {
  readonly year: number
  readonly objectType: 'user' | 'dept'
  readonly objectId: string
  readonly objectName: string
  readonly canSave: boolean
  /** Somebody has set a target for a month of it, or of the year that is copied. */
  readonly found: boolean
  readonly months: readonly {
    /** `yyyy-MM`. */
    readonly month: string
    readonly contract_amount: number
    readonly payment_amount: number
    readonly contract_done: number | null
    readonly payment_done: number | null
  }[]
}

/** What POST /mini/stats/analysis groups by. */
export const ANALYSIS_DIMENSIONS = [
  'source',
  'level',
  'industry',
  'region',
  'lose_reason',
  'product',
  'method',
] as const
export type AnalysisDimension = (typeof ANALYSIS_DIMENSIONS)[number]

/** What POST /mini/stats/detail opens beside tiles and groups of the analysis: parts of the other figures. */
export const FIGURE_DIMENSIONS = ['stage', 'closed', 'lead_step', 'rank', 'plan_month'] as const
export type FigureDimension = (typeof FIGURE_DIMENSIONS)[number]

/** Steps of the lead funnel. */
export const LEAD_STEPS = ['leads', 'converted', 'bussiness', 'won', 'paid'] as const
export type LeadStep = (typeof LEAD_STEPS)[number]

/** Answer of POST /mini/stats/forecast: what plans still bring, by month. */
export interface PaymentForecast {
  readonly months: readonly {
    /** `yyyy-MM`, or `late` for what should have come before this month. */
    readonly key: string
    readonly month: string
    /** Null for a single plan that is not the caller's to see. */
    readonly planned: number | null
    readonly count: number
  }[]
}

/** A field that new records can be counted by: `customer.level`, `customer.ext.kind`, `m.ticket.status`. */
export interface StatDimension {
  readonly value: string
  readonly label: string
}

export interface StatAnalysis {
  /** One of {@link ANALYSIS_DIMENSIONS}, or the value of a {@link StatDimension}. */
  readonly dimension: string
  readonly groups: readonly {
    readonly value: string
    readonly label: string
    readonly count: number
    readonly amount: number
  }[]
}

/** GET /mini/stats/report: a text to be copied, and what it says as data. */
export interface StatReport {
  readonly title: string
  /** Whom it is about. */
  readonly name: string
  readonly text: string
  readonly from: string
  readonly to: string
  readonly facts: ReportFacts
}

/** What a report says; kept with it when it is sent. */
export interface ReportFacts {
  /** As tiles have them: `value` is [0, of the period, of the one before]. */
  readonly numbers: readonly {
    readonly name: StatisticKey
    readonly label: string
    readonly value: readonly [number, number | null, number]
    readonly compare: true
    readonly filter: '' | 'money'
  }[]
  readonly calls: number
  readonly logged: number
  readonly follows: readonly { readonly id: string; readonly name: string; readonly content: string }[]
}

/** What people of a team are put in order by. */
export const TEAM_NUMBERS = [
  'contract',
  'payment',
  'follows',
  'customers',
  'bussiness',
  'pipeline',
  'neglected',
  'overdue',
] as const
export type TeamNumber = (typeof TEAM_NUMBERS)[number]

/** A row of POST /mini/stats/team: what somebody did in the period, and what they have in hand now. */
export interface TeamRow {
  readonly id: string
  readonly name: string
  readonly avatar: string
  readonly dept: string
  readonly follows: number
  readonly visits: number
  readonly customers: number
  readonly bussiness: number
  /** Yuan of contracts and payments of the period; like `pipeline` and `done` null for the amount of a single record that is not the caller's to see. */
  readonly contract: number | null
  readonly payment: number | null
  /** Open opportunities, and what they come to. */
  readonly open: number
  readonly pipeline: number | null
  /** Customers in hand; of them not followed for 30 days, and with a follow-up overdue. */
  readonly held: number
  readonly neglected: number
  readonly overdue: number
  /** Contracts of this month: what should be, what is, and that in percent; null without a target. */
  readonly target: number
  readonly done: number | null
  readonly rate: number | null
}

/** All rows of POST /mini/stats/team together; an amount that is null in one of them is null here, and what follows from it. */
export type TeamTotal = Omit<TeamRow, 'id' | 'name' | 'avatar' | 'dept'> & { readonly people: number }

/** A line of GET /mini/stats/target/tree: a department, or a person below theirs. Amounts are of the whole year. */
export interface TargetLine {
  readonly type: 'user' | 'dept'
  readonly id: string
  readonly name: string
  readonly avatar: string
  /** The department's path: lines stand in its order. */
  readonly place: string
  readonly contract_amount: number
  readonly payment_amount: number
  readonly contract_done: number | null
  readonly payment_done: number | null
  /** What the targets of a department's people add up to, of contracts and of payments. */
  readonly people_amount: number
  readonly people_payment: number
  /** GET and POST /mini/stats/target take it: a department only if all its people are in the caller's scope. */
  readonly may_open: boolean
}
