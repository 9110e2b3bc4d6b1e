import { type RawBuilder, sql } from 'kysely'
import type { OwnedPart } from '../visibility/owned-parts.ts'
import type { Position } from './cursor.ts'
import { expression, isAfter, orderBy, type SortBy } from './keyset.ts'

/** Rows of a list that one index answers in the order of the sort. */
export interface Branch {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
  /** The row that holds its order, and the listed row's id; absent: the listed row itself. */
  readonly at?: string
}

/** A list's rows, taken apart so that little more of them is read than a page shows. */
export interface Branches {
  /** None: there are no rows. */
  readonly each: readonly Branch[]
  /** In so many branches a row may be; absent: in one. */
  readonly copies?: number
  /** They are the rows of the tab already: its own condition, asked again, would only mislead the planner. */
  readonly areTab?: boolean
}

/** Sorts (`<column> <dir>`) that an index of owner or department holds the rows in. */
export interface PartSorts {
  readonly owner: readonly string[]
  readonly dept: readonly string[]
}

/** The branches of an owned list for one sort; null where an index is missing, so that the list is better asked as a whole. */
export function partBranches(
  parts: readonly OwnedPart[] | null,
  row: string,
  from: RawBuilder<unknown>,
  sorts: readonly SortBy[],
  held: PartSorts,
): Branches | null {
  const [sort, ...more] = sorts
  if (parts === null || sort === undefined || more.length > 0) return null
  const name = `${sort.by.column} ${sort.dir}`
  if (!parts.every(({ by }) => by === 'id' || held[by].includes(name))) return null
  const each = parts.map(({ by, where }) => (by === 'id' ? lookedUp(row, from, where) : { from, where }))
  return { each }
}

/** Rows of known ids, fetched one by one: the fence (`offset 0`) keeps the planner from looking for them in the order of the list. */
function lookedUp(row: string, from: RawBuilder<unknown>, where: RawBuilder<boolean>): Branch {
  const name = sql.ref(row)
  return {
    from: sql`(select ${name}.* from ${from} where ${where} offset 0) ${name}`,
    where: sql<boolean>`true`,
  }
}

/**
 * A query of the ids of one page. Each branch is bounded and ordered, so that the planner takes the index that holds its order; they are
 * then merged row by row, none read further than needed. An id comes as often as there are copies of it.
 *
 * @param after  the page begins behind it
 */
export function pageIds(
  row: string,
  { each, copies = 1 }: Branches,
  where: readonly RawBuilder<boolean>[],
  sorts: readonly SortBy[],
  limit: number,
  after: Position | null = null,
): RawBuilder<unknown> {
  if (each.length === 0) return sql`select null::text where false`
  const pages = each.map(({ from, where: own, at = row }) => {
    const keys = sorts.map((sort, i) => sql`${expression(at, sort)} as ${sql.ref(`s${i}`)}`)
    const all = [own, ...where, ...(after === null ? [] : [isAfter(at, sorts, after)])]
    return sql`(select ${sql.ref(`${at}.id`)} as id, ${sql.join(keys)} from ${from}
      where ${sql.join(all, sql` and `)} order by ${orderBy(at, sorts)} limit ${limit})`
  })
  const named = sorts.map((sort, i) => ({ ...sort, by: { ...sort.by, column: `s${i}`, nullable: false } }))
  return sql`select page.id from (${sql.join(pages, sql` union all `)}) page
    order by ${orderBy('page', named)} limit ${limit * copies}`
}
