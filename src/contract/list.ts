/** Operators of a list filter (DOMAIN 8.1). */
export const FILTER_OPS = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'startsWith',
  'empty',
  'notEmpty',
  'rel',
] as const
export type FilterOp = (typeof FILTER_OPS)[number]

/** Named spans for `rel`, in the tenant's time zone. `overdue` is everything before now. */
export const RELATIVE_SPANS = [
  'today',
  'yesterday',
  'tomorrow',
  'thisWeek',
  'lastWeek',
  'nextWeek',
  'thisMonth',
  'lastMonth',
  'nextMonth',
  'next7d',
  'next30d',
  'last7d',
  'last30d',
  'last90d',
  'overdue',
] as const
export type RelativeSpan = (typeof RELATIVE_SPANS)[number]

export interface Filter {
  readonly field: string
  readonly op: FilterOp
  readonly value?: unknown
}

export interface Sort {
  readonly field: string
  readonly dir: 'asc' | 'desc'
}

/** Rows behind a number of the home page: the same rule counts and lists them (DOMAIN 3). */
export interface StatFilter {
  readonly key: string
  readonly period: string
  readonly scope?: string
  readonly from?: string
  readonly to?: string
}

/** Body of every `POST /mini/{entity}/list`. Defaults: limit 20 (at most 100), the entity's own tab and sort. */
export interface ListRequest {
  readonly tab?: string
  readonly keyword?: string
  readonly filters?: readonly Filter[]
  readonly match?: 'all'
  readonly sort?: readonly Sort[]
  /** `nextCursor` of the page before; only valid with the same tab, keyword, filters and sort. */
  readonly cursor?: string | null
  readonly limit?: number
  readonly withTotal?: boolean
  /** Also answer the counts of the quick tabs. */
  readonly withTabs?: boolean
  readonly stat?: StatFilter
}

/** Data of a list answer. `total` and the tab counts stop at 999 and are then `"999+"`. */
export interface ListAnswer<Row> {
  readonly list: readonly Row[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly total?: number | '999+'
  readonly tabs?: Readonly<Record<string, number | '999+'>>
  /** `yyyy-MM-dd HH:mm:ss` in the tenant's time zone. */
  readonly serverTime: string
}

/** Answer of a call on several records: each one succeeds or fails for itself. */
export interface BatchAnswer {
  readonly ok: readonly string[]
  readonly failed: readonly {
    readonly id: string
    readonly name: string
    readonly code: number
    readonly type: string
    readonly message: string
  }[]
}
