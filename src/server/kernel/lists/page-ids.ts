import { type RawBuilder, sql } from 'kysely'
import {
  type Branch,
  type Branches,
  isMirrored,
  lookupBranch,
  pageIds,
  WALKED,
  type Walk,
  walkedCount,
  walkedEntries,
  walkedIds,
} from './branches.ts'
import type { Position } from './cursor.ts'
import { mirroredTest, walkedTest } from './filter-sql.ts'
import type { SortBy } from './keyset.ts'
import type { Condition } from './list-spec.ts'
import { type Mirror, mirrorEntries, mirroredValue } from './mirror.ts'
import { idsOfAll } from './mirrored-list.ts'
import { conditionsOf, contextOf, isOneOf, narrowed, type Question, soughtOf, tabNameOf } from './question.ts'

/** Number of rows tested for a keyword or several filters in list order, before other indexes are used. */
const MAX_WALK = 1000
/** The same if the matches among the first rows promise to fill a page within this number: the filters alone would find far more rows. */
const WALK_FAR = 8000

/** The page of a list to read: its order, length, and start position. */
export interface PageOf {
  readonly sorts: readonly SortBy[]
  readonly most: number
  readonly after: Position | null
}

/** The ids of a page, or a query of them. */
export type Found =
  | { readonly ids: readonly string[] }
  | { readonly ids: null; readonly query: RawBuilder<{ readonly id: string }> }

/** The ids of a page, if they can be found by reading little more than the page; null if one query for the whole list is better. */
export async function idsOfPage(question: Question, page: PageOf): Promise<Found | null> {
  const ids = await firstWith(question, page)
  if (ids !== null) return { ids }
  const branches = await branchesOf(question, page.sorts)
  if (branches === null) return null
  return {
    ids: null,
    query: pageIds(question.spec.row, { ...page, branches, where: narrowed(question, branches) }),
  }
}

/** How the first rows of a list are read and tested. */
interface Tested {
  /** One after the other. */
  readonly walks: readonly Omit<Walk, 'most'>[]
  /** A query of the first of them that pass, with a maximum number. */
  readonly passing: (walk: Walk, most: number) => RawBuilder<{ readonly id: string }>
}

/**
 * Ids of a page of matches of a keyword or several filters, if the first rows of the list yield them: a common word is then found at once, and a
 * caller who sees few rows never pays for the words of all others. Null if they may be incomplete, and if the list can be answered by one index.
 */
async function firstWith(question: Question, page: PageOf): Promise<readonly string[] | null> {
  const tested = testedRows(question, page) ?? testedMirror(question, page)
  if (tested === null) return null
  for (const maximum of [MAX_WALK, WALK_FAR]) {
    const { ids, isAll } = await walkOf(question, tested, page.most, maximum)
    if (isAll || ids.length >= page.most) return ids
    if (!isPromising(ids.length, page.most, maximum)) return null
  }
  return null
}

/** True if a longer walk will fill the page. */
const isPromising = (found: number, page: number, walked: number): boolean =>
  walked < WALK_FAR && found * (WALK_FAR / walked) >= 2 * page

/** The rows that pass, until a page is full; `isAll` if the walk reached the end. */
async function walkOf(
  { spec, ctx }: Question,
  { walks, passing }: Tested,
  page: number,
  most: number,
): Promise<{ readonly ids: readonly string[]; readonly isAll: boolean }> {
  const ids = new Set<string>()
  for (const base of walks) {
    const walk = { ...base, most }
    const { rows } = await passing(walk, page - ids.size).execute(ctx.trx)
    for (const { id } of rows) ids.add(id)
    // Whether everything was read matters only in this case.
    if (ids.size >= page || isPromising(ids.size, page, most)) return { ids: [...ids], isAll: false }
    const [{ n } = { n: 0 }] = (await walkedCount(spec.row, walk).execute(ctx.trx)).rows
    if (n >= most) return { ids: [...ids], isAll: false }
  }
  return { ids: [...ids], isAll: true }
}

/** The rows of the list's branches, for a search that their order does not support. */
function testedRows(question: Question, { sorts, after }: PageOf): Tested | null {
  const { spec, request, ctx, rare = null } = question
  const isSought =
    request.keyword !== '' ||
    request.filters.length > 1 ||
    request.filters.some(({ field }) => spec.filters[field]?.mirror !== undefined)
  const { table } = spec
  if (!isSought || rare !== null || request.stat !== undefined || table === undefined) return null
  const branches = spec.branches?.(ctx, tabNameOf(question), sorts, []) ?? null
  if (branches === null) return null
  const { keywordOfRow } = spec
  const byRow =
    keywordOfRow === undefined ? question : { ...question, spec: { ...spec, keyword: keywordOfRow } }
  const [first] = sorts
  if (first?.by.mirror !== undefined)
    return inMirror(byRow, inTurn(branches, spec.row, first, after), first.by.mirror, table)
  const plain = { ...question, request: { ...request, keyword: '', filters: [] } }
  const walk = { branches, where: narrowed(plain, branches), sorts, after }
  return {
    walks: [walk],
    passing: (partial, most) => walkedIds(spec.row, partial, most, soughtOf(byRow), table),
  }
}

/**
 * Rows without a value come last: they are read if those with a value do not fill the page, or first when walking from the end. Merging them with the
 * others would read and sort them for nothing.
 */
function inTurn(
  { each }: Branches,
  row: string,
  sort: SortBy,
  after: Position | null,
): readonly Omit<Walk, 'most' | 'where'>[] {
  const { mirror } = sort.by
  const part = (isNone: boolean) => ({
    branches: {
      each: each.flatMap((branch): readonly Branch[] => {
        if (branch.mirrored !== undefined) return branch.mirrored.isNone === isNone ? [branch] : []
        const value = mirror === undefined ? sql`null` : mirroredValue(mirror, row)
        const isThere = sql<boolean>`(${branch.where} and ${value} is ${isNone ? sql`null` : sql`not null`})`
        return [{ ...branch, where: isThere }]
      }),
    },
    sorts: [sort],
    after,
  })
  return (sort.isBackwards === true ? [true, false] : [false, true]).map(part)
}

/** The rows of a list without branches, in the order of a mirror. */
function testedMirror(question: Question, { sorts, after }: PageOf): Tested | null {
  const { spec, request, ctx, rare = null } = question
  const [sort, ...more] = sorts
  const mirror = sort?.by.mirror
  if (
    sort === undefined ||
    mirror === undefined ||
    more.length > 0 ||
    rare !== null ||
    request.stat !== undefined
  )
    return null
  // Other tabs have few rows, for which a direct query is better.
  const isWide = tabNameOf(question) === spec.defaultTab
  if (!isWide || (spec.branches !== undefined && spec.pooled !== true)) return null
  const each = [false, true].map((isNone): Branch => {
    const mirrored = { mirror, isNone }
    const entries = mirrorEntries(mirrored, ctx.caller.tenantId, spec.pooled === true ? 'nobody' : {})
    return { ...entries, mirrored, entries }
  })
  const walks = inTurn({ each }, spec.row, sort, after)
  return inMirror(question, walks, mirror, spec.from(ctx))
}

/**
 * Entries of a mirror: a filter on the same field limits them, filters on other mirrored fields are tested on them, and the record decides the rest.
 */
function inMirror(
  question: Question,
  walks: readonly Omit<Walk, 'most' | 'where'>[],
  mirror: Mirror,
  table: RawBuilder<unknown>,
): Tested {
  const { spec, request, ctx } = question
  const { caller } = ctx
  const context = contextOf(spec, ctx)
  const tenantId = sql`${caller.tenantId}`
  const bounds = request.filters.map((filter) => walkedTest(filter, spec.filters, context, mirror))
  // Known rows are read without an entry: their values are looked up.
  const isBounded = walks.every(({ branches }) => branches.each.every(({ entries }) => entries !== undefined))
  const fits = request.filters.map((filter, i) =>
    isBounded && bounds[i] !== null
      ? null
      : mirroredTest(filter, spec.filters, context, { tenantId, id: WALKED }),
  )
  const isLeft = (_: unknown, i: number) => fits[i] === null && !(isBounded && bounds[i] !== null)
  const rest = { ...question, request: { ...request, filters: request.filters.filter(isLeft) } }
  const at = (column: string) => sql.ref(`${spec.row}.${column}`)
  const record = (
    id: RawBuilder<unknown>,
  ) => sql`select 1 from ${table} where ${at('tenant_id')} = ${tenantId}
    and ${at('id')} = ${id} and ${sql.join(conditionsOf(rest), sql` and `)}`
  return {
    walks: walks.map((walk) => ({ ...walk, where: bounds.filter(isThere) })),
    passing: (partial, most) => walkedEntries(spec.row, partial, most, fits.filter(isThere), record),
  }
}

const isThere = (base: Condition | null): base is Condition => base !== null

/** The rows of a list divided into branches, so that a page is found by an index for its order or its filters; null: one query for the whole list. */
async function branchesOf(question: Question, sorts: readonly SortBy[]): Promise<Branches | null> {
  const { spec, request, ctx, rare = null } = question
  if (request.stat !== undefined) return null
  if (rare !== null) return knownRows(question, isOneOf(spec, rare))
  if (request.keyword !== '') return (await spec.found?.(ctx, sorts, request.keyword)) ?? null
  // The first rows of the list did not fill a page, so few rows pass all filters: their ids are queried.
  const ids = spec.branches === undefined ? null : idsOfAll(question)
  if (ids !== null)
    return knownRows(question, sql<boolean>`${sql.ref(`${spec.row}.id`)} = any(array(${ids}))`)
  // In the order of a mirror, rows that a filter excludes would all be read.
  if (isMirrored(sorts) && request.filters.length > 0) return null
  return spec.branches?.(ctx, tabNameOf(question), sorts, request.filters) ?? null
}

/** Known rows of the list's own table, each looked up. */
function knownRows({ spec, ctx }: Question, areThey: Condition): Branches | null {
  const { table, row } = spec
  if (table === undefined) return null
  const isSeen = sql<boolean>`(${sql.ref(`${row}.tenant_id`)} = ${ctx.caller.tenantId} and ${areThey}
    and ${spec.visible(ctx)})`
  return { each: [lookupBranch(row, table, isSeen)] }
}
