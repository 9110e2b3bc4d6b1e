import type { RawBuilder } from 'kysely'
import type { Filter, StatFilter } from '../../../contract/list.ts'
import type { Asking } from '../asking/asking.ts'
import type { Branches } from './branches.ts'
import type { FilterFields } from './filter-sql.ts'
import type { SortBy, SortColumn } from './keyset.ts'

/** What a row has to be. */
export type Condition = RawBuilder<boolean>

/** A quick tab: which rows, and in which order when the user chose none. */
export interface Tab {
  readonly where: (asking: Asking) => Condition
  /** The field whose values tell its rows apart: the tab is there for who sees that in full. */
  readonly by?: string
  readonly sort?: readonly SortBy[]
}

/** What a list of one entity knows: its rows, filters, sorts and tabs. */
export interface ListSpec {
  readonly entity: string
  /** Alias of the entity's table in {@link from}. */
  readonly row: string
  readonly from: (asking: Asking) => RawBuilder<unknown>
  /** @param isCounted  its rows are those behind a number of the statistics, which the caller may not see; all others are visible */
  readonly columns: (asking: Asking, isCounted: boolean) => RawBuilder<unknown>
  /** Which rows the caller may see at all. */
  readonly visible: (asking: Asking) => Condition
  readonly filters: FilterFields
  readonly sorts: Readonly<Record<string, SortColumn>>
  readonly defaultSort: readonly SortBy[]
  readonly tabs: Readonly<Record<string, Tab>>
  readonly defaultTab: string
  readonly keyword?: (keyword: string, asking: Asking) => Condition
  /** {@link keyword} as it is asked of one row after the other: what lies in other tables is looked up from the row. Absent: the same. */
  readonly keywordOfRow?: (keyword: string, asking: Asking) => Condition
  /** Its rows lie in pools: what is shown of them in part does not order them. */
  readonly pooled?: true
  /** Its conditions follow the caller's data scope: what that comes down to is looked up first, their team where one asks by authors. */
  readonly scoped?: true | 'team'
  /** The visible rows of a tab taken apart, where a page is then found by reading little more than it; null: asked as a whole. */
  readonly branches?: (
    asking: Asking,
    tab: string,
    sorts: readonly SortBy[],
    filters: readonly Filter[],
  ) => Branches | null
  /** The listed table under {@link row}, without what a card joins to it: enough for what is asked of a row alone. */
  readonly table?: RawBuilder<unknown>
  /** The visible rows as a keyword is looked for in them: sorted by id and key alone, what a card shows is looked up for the page. */
  readonly found?: (
    asking: Asking,
    sorts: readonly SortBy[],
    keyword: string,
  ) => Branches | null | Promise<Branches | null>
  /** The rows behind a number of the statistics; takes the place of visibility and tab. */
  readonly stat?: (asking: Asking, stat: StatFilter) => Condition
}
