import type { RawBuilder } from 'kysely'
import type { Filter, StatFilter } from '../../../contract/list.ts'
import type { CallContext } from '../context/call-context.ts'
import type { Branches } from './branches.ts'
import type { FilterFields } from './filter-sql.ts'
import type { SortBy, SortColumn } from './keyset.ts'

/** Conditions on a row. */
export type Condition = RawBuilder<boolean>

/** A quick tab: its rows, and their order if the user chose none. */
export interface Tab {
  readonly where: (ctx: CallContext) => Condition
  /** The field whose values distinguish its rows: only people who see that field in full get the tab. */
  readonly by?: string
  readonly sort?: readonly SortBy[]
}

/** The definition of an entity's list: its rows, filters, sorts and tabs. */
export interface ListSpec {
  readonly entity: string
  /** Alias of the entity's table in {@link from}. */
  readonly row: string
  readonly from: (ctx: CallContext) => RawBuilder<unknown>
  /** @param isCounted  its rows are those behind a statistic, which the caller may not see; all others are visible */
  readonly columns: (ctx: CallContext, isCounted: boolean) => RawBuilder<unknown>
  /** Which rows the caller may see at all. */
  readonly visible: (ctx: CallContext) => Condition
  readonly filters: FilterFields
  readonly sorts: Readonly<Record<string, SortColumn>>
  readonly defaultSort: readonly SortBy[]
  readonly tabs: Readonly<Record<string, Tab>>
  readonly defaultTab: string
  readonly keyword?: (keyword: string, ctx: CallContext) => Condition
  /** {@link keyword} for testing single rows: values in other tables are looked up from the row. Absent: the same. */
  readonly keywordOfRow?: (keyword: string, ctx: CallContext) => Condition
  /** Its rows are in pools: fields that are shown in part cannot be used for sorting. */
  readonly pooled?: true
  /** Its conditions depend on the caller's data scope, which is resolved first; `team` if it filters by authors. */
  readonly scoped?: true | 'team'
  /** The visible rows of a tab divided into branches, if a page can then be found by reading little more than the page; null: one query for all. */
  readonly branches?: (
    ctx: CallContext,
    tab: string,
    sorts: readonly SortBy[],
    filters: readonly Filter[],
  ) => Branches | null
  /** The listed table under {@link row}, without the joins of a card: enough for conditions on the row alone. */
  readonly table?: RawBuilder<unknown>
  /** The visible rows for a keyword search, with only sort key and id; the other values are looked up for the page. */
  readonly found?: (
    ctx: CallContext,
    sorts: readonly SortBy[],
    keyword: string,
  ) => Branches | null | Promise<Branches | null>
  /** The rows behind a statistic; replaces visibility and tab. */
  readonly stat?: (ctx: CallContext, stat: StatFilter) => Condition
}
