import { type RawBuilder, sql } from 'kysely'
import type { OwnedPart } from '../visibility/owned-parts.ts'
import type { Position } from './cursor.ts'
import { directionOf, expression, isAfter, orderBy, type SortBy } from './keyset.ts'
import {
  behindInMirror,
  type Mirror,
  type MirrorOrder,
  mirrorKey,
  mirrorRows,
  mirrorSequence,
} from './mirror.ts'

/** Rows of a list that one index answers in the order of the sort. */
export interface Branch {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
  /** The row that holds its order, and the listed row's id; absent: the listed row itself. */
  readonly at?: string
  /** The mirror that its rows come from, in the order of their values. */
  readonly mirrored?: MirrorOrder
}

/** A list's rows, taken apart so that little more of them is read than a page shows. */
export interface Branches {
  /** None: there are no rows. */
  readonly each: readonly Branch[]
  /** Number of branches a row may be in; default: 1. */
  readonly copies?: number
  /** They are the rows of the tab already: its own condition, asked again, would only mislead the planner. */
  readonly areTab?: boolean
}

/** Sorts (`<column> <dir>`) that an index of owner or department holds the rows in. */
export interface PartSorts {
  readonly owner: readonly string[]
  readonly dept: readonly string[]
}

/** True where a mirror orders the rows. */
export const isMirrored = (sorts: readonly SortBy[]): boolean => sorts[0]?.by.mirror !== undefined

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
  const { mirror } = sort.by
  if (mirror !== undefined) return { each: parts.flatMap((part) => mirroredPart(part, mirror, row, from)) }
  const name = `${sort.by.column} ${sort.dir}`
  if (!parts.every(({ by }) => by === 'id' || held[by].includes(name))) return null
  const each = parts.map(({ by, where }) => (by === 'id' ? lookedUp(row, from, where) : { from, where }))
  return { each }
}

/** A part in the order of a mirror: those with a value, and behind them those without. */
function mirroredPart(
  { by, holder, tenantId, where }: OwnedPart,
  mirror: Mirror,
  row: string,
  from: RawBuilder<unknown>,
): readonly Branch[] {
  if (by === 'id') return [lookedUp(row, from, where)]
  return [false, true].map((isNone) => {
    const mirrored = { mirror, isNone }
    const rows = mirrorRows(mirrored, holder === null ? {} : { [by]: holder }, tenantId, row, from)
    return { from: rows.from, where: sql<boolean>`(${rows.where} and ${where})`, mirrored }
  })
}

/** Rows of known ids, fetched one by one: the fence (`offset 0`) keeps the planner from looking for them in the order of the list. */
export function lookedUp(row: string, from: RawBuilder<unknown>, where: RawBuilder<boolean>): Branch {
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
  branches: Branches,
  where: readonly RawBuilder<boolean>[],
  sorts: readonly SortBy[],
  limit: number,
  after: Position | null = null,
): RawBuilder<unknown> {
  if (branches.each.length === 0) return sql`select null::text where false`
  const all = limit * (branches.copies ?? 1)
  return sql`select page.id from (${merged(row, branches, where, sorts, limit, all, after)}) page
    order by ${byKeys('page', sorts)}`
}

/**
 * A query of the ids of one page of what a test passes among the first rows of the list, in the list's order: one after the other is
 * tested until the page is full.
 *
 * @param test  of a row of `tested.from` under the list's alias, found by its id
 * @param most  rows tested at most
 */
export function walkedIds(
  row: string,
  branches: Branches,
  where: readonly RawBuilder<boolean>[],
  sorts: readonly SortBy[],
  most: number,
  after: Position | null,
  limit: number,
  tested: { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<boolean> },
): RawBuilder<{ readonly id: string }> {
  // The lateral query is fenced (`limit 1`): it is asked per row, in their order, and no more often than the page needs.
  return sql`select walked.id from (${merged(row, branches, where, sorts, most, most, after)}) walked
    cross join lateral (select 1 from ${tested.from} where ${sql.ref(`${row}.id`)} = walked.id and ${tested.where} limit 1) passed
    order by ${byKeys('walked', sorts)} limit ${limit * (branches.copies ?? 1)}`
}

/** How many rows {@link walkedIds} may test, `most` at most. */
export function walkedCount(
  row: string,
  branches: Branches,
  where: readonly RawBuilder<boolean>[],
  sorts: readonly SortBy[],
  most: number,
  after: Position | null,
): RawBuilder<{ readonly n: number }> {
  return sql`select count(*) as n from (${merged(row, branches, where, sorts, most, most, after)}) walked`
}

/** Ids and sort keys of the first rows of the branches, merged: no more than `each` of one branch and `all` together. */
function merged(
  row: string,
  branches: Branches,
  where: readonly RawBuilder<boolean>[],
  sorts: readonly SortBy[],
  each: number,
  all: number,
  after: Position | null,
): RawBuilder<unknown> {
  const parts = branches.each.map((branch) => {
    const [first] = sorts
    if (branch.mirrored !== undefined && first !== undefined)
      return mirroredBranch({ ...branch, mirrored: branch.mirrored }, where, first, each, after)
    const { from, where: own, at = row } = branch
    const keys = sorts.map((sort, i) => sql`${expression(at, sort)} as ${sql.ref(`s${i}`)}`)
    const every = [own, ...where, ...(after === null ? [] : [isAfter(at, sorts, after)])]
    return sql`(select ${sql.ref(`${at}.id`)} as id, ${sql.join(keys)} from ${from}
      where ${sql.join(every, sql` and `)} order by ${orderBy(at, sorts)} limit ${each})`
  })
  return sql`select part.* from (${sql.join(parts, sql` union all `)}) part
    order by ${byKeys('part', sorts)} limit ${all}`
}

function mirroredBranch(
  { from, where: own, mirrored }: Branch & { readonly mirrored: MirrorOrder },
  where: readonly RawBuilder<boolean>[],
  sort: SortBy,
  each: number,
  after: Position | null,
): RawBuilder<unknown> {
  const way = directionOf(sort)
  const behind = after === null ? null : behindInMirror(mirrored, sort, way, after)
  const every = [own, ...where, ...(behind === null ? [] : [behind])]
  return sql`(select x.record_id as id, ${mirrorKey(mirrored, sort)} as s0 from ${from}
    where ${sql.join(every, sql` and `)} order by ${mirrorSequence(way)} limit ${each})`
}

/** Their order, spelled by the keys they carry. */
function byKeys(row: string, sorts: readonly SortBy[]): RawBuilder<unknown> {
  return orderBy(
    row,
    sorts.map((sort, i) => ({ ...sort, by: { column: `s${i}`, type: sort.by.type, nullable: false } })),
  )
}
