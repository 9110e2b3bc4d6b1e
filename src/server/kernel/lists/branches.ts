import { type RawBuilder, sql } from 'kysely'
import { columnNamed } from '../db/column.ts'
import type { OwnedPart } from '../visibility/owned-parts.ts'
import type { Position } from './cursor.ts'
import { directionOf, expression, isAfter, orderBy, type SortBy } from './keyset.ts'
import {
  behindInMirror,
  type Mirror,
  type MirrorOrder,
  mirrorEntries,
  mirroredKey,
  mirrorKey,
  mirrorRows,
  mirrorSequence,
} from './mirror.ts'

/** A subset of a list's rows that one index returns in the order of the sort. */
export interface Branch {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<boolean>
  /** The row that defines the order, and the column with the listed row's id; absent: the listed row itself. */
  readonly at?: string
  /** The mirror that supplies its rows, in the order of their values. */
  readonly mirrored?: MirrorOrder
  /** For a mirror: only its entries, without their records. */
  readonly entries?: Pick<Branch, 'from' | 'where'>
}

/** A list's rows divided into branches, so that the database reads little more than one page. */
export interface Branches {
  /** None: there are no rows. */
  readonly each: readonly Branch[]
  /** Maximum number of branches that can contain the same row; default: 1. */
  readonly copies?: number
  /** They are the rows of one person, and of few ids. */
  readonly isOwn?: boolean
  /** They are exactly the rows of the tab: repeating its condition would only mislead the planner. */
  readonly areTab?: boolean
}

/** Sorts (`<column> <dir>`) for which an index of owner or department exists. */
export interface PartSorts {
  readonly owner: readonly string[]
  readonly dept: readonly string[]
}

/** True where a mirror orders the rows. */
export const isMirrored = (sorts: readonly SortBy[]): boolean => sorts[0]?.by.mirror !== undefined

/** The branches of an owned list for one sort; null if an index is missing, so that one query for the whole list is better. */
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
  const isOwn = parts.every(({ by, hasOthers }) => by === 'id' || !hasOthers)
  if (mirror !== undefined)
    return { each: parts.flatMap((part) => mirroredPart(part, mirror, row, from)), isOwn }
  const name = `${sort.by.column} ${sort.dir}`
  if (!parts.every(({ by }) => by === 'id' || held[by].includes(name))) return null
  const each = parts.map(({ by, where }) => (by === 'id' ? lookupBranch(row, from, where) : { from, where }))
  return { each, isOwn }
}

/** A branch in the order of a mirror: first rows with a value, then those without. */
function mirroredPart(
  { by, holder, tenantId, without, where }: OwnedPart,
  mirror: Mirror,
  row: string,
  from: RawBuilder<unknown>,
): readonly Branch[] {
  if (by === 'id') return [lookupBranch(row, from, where)]
  return [false, true].map((isNone) => {
    const mirrored = { mirror, isNone }
    const holderColumn = holder === null ? {} : { [by]: holder }
    const rows = mirrorRows(mirrored, holderColumn, tenantId, row, from)
    const entries = mirrorEntries(mirrored, tenantId, { ...holderColumn, without })
    return { from: rows.from, where: sql<boolean>`(${rows.where} and ${where})`, mirrored, entries }
  })
}

/** Rows with known ids, fetched one by one: `offset 0` prevents the planner from searching for them in list order. */
export function lookupBranch(row: string, from: RawBuilder<unknown>, where: RawBuilder<boolean>): Branch {
  const name = columnNamed(row)
  return {
    from: sql`(select ${name}.* from ${from} where ${where} offset 0) ${name}`,
    where: sql<boolean>`true`,
  }
}

/** The first rows of a list, in its order. */
export interface Walk {
  readonly branches: Branches
  /** Additional conditions on the rows of each branch; for entries of a mirror, on their value. */
  readonly where: readonly RawBuilder<boolean>[]
  readonly sorts: readonly SortBy[]
  /** Maximum number. */
  readonly most: number
  /** The position after which it begins. */
  readonly after: Position | null
}

/**
 * A query of the ids of one page. Each branch is limited and ordered, so that the planner uses the index with its order; the branches are then merged
 * row by row, and none is read further than needed. An id appears once per branch that contains it.
 */
export function pageIds(row: string, walk: Walk): RawBuilder<{ readonly id: string }> {
  const { branches, sorts, most } = walk
  if (branches.each.length === 0) return sql`select null::text as id where false`
  const rows = merged(row, { ...walk, most: most * (branches.copies ?? 1) }, { each: most })
  return sql`select page.id from (${rows}) page order by ${byKeys('page', sorts)}`
}

/**
 * A query of the ids of one page of rows that pass tests, taken from the first rows of the list in list order: rows are tested one after the other
 * until the page is full.
 *
 * @param tests  on the row under the list's alias
 * @param table  the listed table, for branches ordered by another table
 */
export function walkedIds(
  row: string,
  walk: Walk,
  limit: number,
  tests: readonly RawBuilder<boolean>[],
  table: RawBuilder<unknown>,
): RawBuilder<{ readonly id: string }> {
  const { branches, sorts } = walk
  const all = limit * (branches.copies ?? 1)
  const every = sql.join([sql`true`, ...tests], sql` and `)
  if (branches.each.every(({ at }) => at === undefined)) {
    const rows = merged(row, walk, { read: 'rows' })
    return sql`select walked.id from (select ${columnNamed(`${row}.id`)} as id from (${rows}) ${columnNamed(row)} where ${every}
      order by ${byKeys(row, sorts)} limit ${all}) walked`
  }
  // The lateral query is fenced (`limit 1`): it runs per row, in order, and only as often as the page needs.
  return sql`select walked.id from (${merged(row, walk)}) walked
    cross join lateral (select 1 from ${table} where ${columnNamed(`${row}.id`)} = walked.id and ${every} limit 1) passed
    order by ${byKeys('walked', sorts)} limit ${all}`
}

/** Alias of the mirror entry being tested, in {@link walkedEntries}. */
export const WALKED = columnNamed('walked.id')

/**
 * The same in the order of a mirror: its entries are first tested against other mirrors, by indexes alone, and only the records of those that pass
 * are looked up.
 *
 * @param fits  tests of {@link WALKED} against other mirrors
 * @param record  a query of its record, if that passes as well
 */
export function walkedEntries(
  row: string,
  walk: Walk,
  limit: number,
  fits: readonly RawBuilder<boolean>[],
  record: (id: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<{ readonly id: string }> {
  const fit = sql`cross join lateral (select ${WALKED} where ${sql.join([sql`true`, ...fits], sql` and `)} offset 0) fit`
  return sql`select walked.id from (${merged(row, walk, { read: 'entries' })}) walked
    ${fit} cross join lateral (${record(columnNamed('fit.id'))} limit 1) passed
    order by ${byKeys('walked', walk.sorts)} limit ${limit}`
}

/** The number of rows that a walk examines, at most `most`. */
export function walkedCount(row: string, walk: Walk): RawBuilder<{ readonly n: number }> {
  const read = isMirrored(walk.sorts) ? 'entries' : 'ids'
  return sql`select count(*) as n from (${merged(row, walk, { read })}) walked`
}

/** What is read of each row: its id, the whole row, or only the entry of its mirror. */
type Read = 'ids' | 'rows' | 'entries'

/** Ids and sort keys of the first rows of the branches, merged: at most `each` per branch and `most` in total. */
function merged(
  row: string,
  { branches, where, sorts, most, after }: Walk,
  { each = most, read = 'ids' }: { readonly each?: number; readonly read?: Read } = {},
): RawBuilder<unknown> {
  const parts = branches.each.map((branch) => {
    const { mirrored, entries } = branch
    const [first] = sorts
    if (mirrored !== undefined && first !== undefined) {
      const rows = read === 'entries' && entries !== undefined ? entries : branch
      return mirroredBranch({ ...rows, mirrored }, where, first, each, after)
    }
    const { from, where: own, at = row } = branch
    const key = (sort: SortBy) =>
      sort.by.mirror === undefined ? expression(at, sort) : mirroredKey(sort.by.mirror, at, sort)
    const keys = sorts.map((sort, i) => sql`${key(sort)} as ${columnNamed(`s${i}`)}`)
    const narrowing = read === 'entries' ? [] : where
    const every = [own, ...narrowing, ...(after === null ? [] : [isAfter(at, sorts, after)])]
    const columns = read === 'rows' ? sql`${columnNamed(at)}.*` : sql`${columnNamed(`${at}.id`)} as id`
    return sql`(select ${columns}, ${sql.join(keys)} from ${from}
      where ${sql.join(every, sql` and `)} order by ${orderBy(at, sorts)} limit ${each})`
  })
  return sql`select part.* from (${sql.join(parts, sql` union all `)}) part
    order by ${byKeys('part', sorts)} limit ${most}`
}

function mirroredBranch(
  { from, where: own, mirrored }: Branch & { readonly mirrored: MirrorOrder },
  where: readonly RawBuilder<boolean>[],
  sort: SortBy,
  each: number,
  after: Position | null,
): RawBuilder<unknown> {
  const direction = directionOf(sort)
  const behind = after === null ? null : behindInMirror(mirrored, sort, direction, after)
  const every = [own, ...where, ...(behind === null ? [] : [behind])]
  return sql`(select x.record_id as id, ${mirrorKey(mirrored, sort)} as s0 from ${from}
    where ${sql.join(every, sql` and `)} order by ${mirrorSequence(direction)} limit ${each})`
}

/** Their order, expressed by the keys they carry. */
function byKeys(row: string, sorts: readonly SortBy[]): RawBuilder<unknown> {
  return orderBy(
    row,
    sorts.map((sort, i) => ({ ...sort, by: { column: `s${i}`, type: sort.by.type, nullable: false } })),
  )
}
