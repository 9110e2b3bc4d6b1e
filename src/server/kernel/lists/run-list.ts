import { type RawBuilder, sql } from 'kysely'
import type { Filter, ListAnswer, StatFilter } from '../../../contract/list.ts'
import type { Asking } from '../asking/asking.ts'
import { isClear } from '../auth/field-rights.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { dateTimeText } from '../time/zone.ts'
import { withReach } from '../visibility/reach.ts'
import { type Branches, pageIds, walkedCount, walkedIds } from './branches.ts'
import { decodeCursor, encodeCursor, fingerprint, type Position } from './cursor.ts'
import { BadFilter, type FilterFields, filterCondition } from './filter-sql.ts'
import { isAfter, orderBy, type SortBy, type SortColumn, sortValues } from './keyset.ts'
import { bad, type ReadyListRequest } from './list-request.ts'

type Condition = RawBuilder<boolean>

/** A quick tab: which rows, and in which order when the user chose none. */
export interface Tab {
  readonly where: (asking: Asking) => Condition
  readonly sort?: readonly SortBy[]
}

/** What a list of one entity knows: its rows, filters, sorts and tabs. */
export interface ListSpec {
  readonly entity: string
  /** Alias of the entity's table in {@link from}. */
  readonly row: string
  readonly from: (asking: Asking) => RawBuilder<unknown>
  readonly columns: (asking: Asking) => RawBuilder<unknown>
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
  /** Its conditions follow the caller's data scope: what that comes down to is looked up first. */
  readonly scoped?: true
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

/** Totals and tab counts stop here (DOMAIN 0.10). */
const COUNT_MOST = 999

/** One page of a list, and what was asked for with it. */
export async function runList<Row extends object>(
  spec: ListSpec,
  request: ReadyListRequest,
  given: Asking,
  draw: (row: Row) => object,
  extra?: { readonly where: Condition; readonly key: string },
): Promise<ListAnswer<object>> {
  const asking = spec.scoped ? await withReach(given) : given
  const sorts = sortsOf(spec, request, asking)
  const where = conditionsOf(spec, request, asking, extra?.where)
  const hash = hashOf(spec, request, asking, extra?.key)
  const position = request.cursor ? positionOf(request.cursor, hash, sorts, asking) : null
  const most = request.limit + 1
  const walked = await firstWith(spec, request, asking, sorts, most, position, extra?.where)
  const branches = walked === null ? await branchesOf(spec, request, asking, sorts) : null
  const found =
    walked !== null
      ? isOnPage(spec, asking, sql`select unnest(${walked}::text[])`)
      : branches === null
        ? sql.join([...where, ...(position === null ? [] : [isAfter(spec.row, sorts, position)])], sql` and `)
        : isOnPage(
            spec,
            asking,
            pageIds(
              spec.row,
              branches,
              narrowed(spec, request, asking, branches, extra?.where),
              sorts,
              most,
              position,
            ),
          )
  const { rows } = await sql<Row & { sort_values: string[]; id: string }>`
    select ${spec.columns(asking)}, ${sortValues(spec.row, sorts)} as sort_values
    from ${spec.from(asking)} where ${found} order by ${orderBy(spec.row, sorts)} limit ${most}`.execute(
    asking.trx,
  )
  const page = rows.slice(0, request.limit)
  const last = page.at(-1)
  const hasMore = rows.length > request.limit
  return {
    list: page.map(({ sort_values: _, ...row }) => draw(row as unknown as Row)),
    nextCursor:
      hasMore && last
        ? encodeCursor({ values: last.sort_values, id: last.id }, hash, asking.cursorSecret)
        : null,
    hasMore,
    ...(request.withTotal ? { total: await countRows(spec, request, asking, extra?.where) } : {}),
    ...(request.withTabs ? { tabs: await countTabs(spec, request, asking, Object.keys(spec.tabs)) } : {}),
    serverTime: dateTimeText(asking.now, asking.zone),
  }
}

/** Counts the rows of tabs under the request's keyword and filters, each at most 999 (then `"999+"`). */
export async function countTabs(
  spec: ListSpec,
  request: ReadyListRequest,
  given: Asking,
  tabs: readonly string[],
): Promise<Record<string, number | '999+'>> {
  const asking = spec.scoped ? await withReach(given) : given
  if (tabs.length === 0) return {}
  const counts = tabs.map(
    (tab, i) => sql`${counted(spec, { ...request, tab }, asking)} as ${sql.ref(`n${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(asking.trx)
  return Object.fromEntries(tabs.map((tab, i) => [tab, capped(rows[0]?.[`n${i}`] ?? 0)]))
}

/**
 * Ids of every row a request finds, in order of ids.
 * @param most  rows at most; 422 when there are more
 * @param extra  a further condition, on {@link ListSpec.row}
 */
export async function idsOfList(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  most: number,
  extra?: Condition,
): Promise<readonly string[]> {
  const id = sql.ref(`${spec.row}.id`)
  const where = sql.join(conditionsOf(spec, request, asking, extra), sql` and `)
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${spec.from(asking)}
    where ${where} order by ${id} limit ${most + 1}`.execute(asking.trx)
  if (rows.length > most) refuse(422, 'BATCH_TOO_LARGE', text('record.batch', { most }))
  return rows.map((row) => row.id)
}

/** Ids of the rows before and after a row in the list it was opened from; null where the list ends. */
export async function neighboursOf(
  spec: ListSpec,
  request: ReadyListRequest,
  given: Asking,
  id: string,
): Promise<{ readonly prevId: string | null; readonly nextId: string | null }> {
  const asking = spec.scoped ? await withReach(given) : given
  const sorts = sortsOf(spec, request, asking)
  const idColumn = sql.ref(`${spec.row}.id`)
  const here = await sql<{ sort_values: string[] }>`select ${sortValues(spec.row, sorts)} as sort_values
    from ${spec.from(asking)} where ${spec.visible(asking)} and ${idColumn} = ${id}`.execute(asking.trx)
  const values = here.rows[0]?.sort_values
  if (values === undefined) return { prevId: null, nextId: null }
  const where = conditionsOf(spec, request, asking)
  const branches = await branchesOf(spec, request, asking, sorts)
  const first = async (order: readonly SortBy[]) => {
    const walked = await firstWith(spec, request, asking, order, 1, { values, id })
    if (walked !== null) return walked[0] ?? null
    const query =
      branches === null
        ? sql<{ id: string }>`select ${idColumn} as id from ${spec.from(asking)}
            where ${sql.join([...where, isAfter(spec.row, order, { values, id })], sql` and `)}
            order by ${orderBy(spec.row, order)} limit 1`
        : pageIds(spec.row, branches, narrowed(spec, request, asking, branches), order, 1, { values, id })
    const { rows } = await query.execute(asking.trx)
    return (rows[0] as { id: string } | undefined)?.id ?? null
  }
  return { prevId: await first(sorts.map(backwards)), nextId: await first(sorts) }
}

/**
 * Counts the rows of a request and adds up columns of its table, in groups.
 * @param by  the column they are grouped by, `key` of the answer
 */
export async function sumList<Column extends string>(
  spec: ListSpec,
  request: ReadyListRequest,
  given: Asking,
  by: string,
  columns: readonly Column[],
  where: Condition,
): Promise<readonly Readonly<Record<Column | 'count', number> & { key: string }>[]> {
  const asking = spec.scoped ? await withReach(given) : given
  const at = (name: string) => sql.ref(`${spec.row}.${name}`)
  const sums = columns.map((name) => sql`coalesce(sum(${at(name)}), 0) as ${sql.ref(name)}`)
  const { rows } = await sql<Record<Column | 'count', number> & { key: string }>`
    select ${at(by)} as key, count(*) as count, ${sql.join(sums)} from ${spec.table ?? spec.from(asking)}
    where ${sql.join(conditionsOf(spec, request, asking, where), sql` and `)} group by ${at(by)}`.execute(
    asking.trx,
  )
  return rows
}

/** Refuses a request that this list could not answer (BAD_FILTER); nothing is read. */
export function checkRequest(spec: ListSpec, request: ReadyListRequest, asking: Asking): void {
  sortsOf(spec, request, asking)
  conditionsOf(spec, request, asking)
}

function backwards(sort: SortBy): SortBy {
  return { ...sort, isBackwards: true }
}

function conditionsOf(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  extra?: Condition,
): readonly Condition[] {
  return [
    ...baseOf(spec, request, asking),
    ...(extra === undefined ? [] : [extra]),
    ...soughtOf(spec, request, asking, spec.keyword),
  ]
}

/** What the request looks for: its keyword and its filters. */
function soughtOf(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  keyword: ListSpec['keyword'],
): readonly Condition[] {
  const context = { row: spec.row, now: asking.now, zone: asking.zone }
  return [
    ...(request.keyword === ''
      ? []
      : [keyword?.(request.keyword, asking) ?? bad('this list has no keyword')]),
    ...request.filters.map((filter) => {
      if (!isClear(asking.caller, spec.entity, filter.field)) bad(`${filter.field} is not shown to you`)
      try {
        return filterCondition(filter, spec.filters, context)
      } catch (error) {
        if (error instanceof BadFilter) bad(error.message)
        throw error
      }
    }),
  ]
}

function isOnPage(spec: ListSpec, { caller }: Asking, ids: RawBuilder<unknown>): Condition {
  const at = (column: string) => sql.ref(`${spec.row}.${column}`)
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('id')} = any(array(${ids})))`
}

/** So many rows of a list are tested for a keyword or several filters, in the list's order, before their indexes are asked. */
const WALK_MOST = 1000

/**
 * Ids of a page of what a keyword or several filters find, when the first rows of the list give it: a common word is then found at once,
 * and whoever sees few rows never pays for the words of all others. Null when that may not be all, and where a list has one index to ask.
 */
async function firstWith(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  sorts: readonly SortBy[],
  most: number,
  position: Position | null,
  extra?: Condition,
): Promise<readonly string[] | null> {
  const isSought =
    request.keyword !== '' ||
    request.filters.length > 1 ||
    request.filters.some(({ field }) => spec.filters[field]?.mirror !== undefined)
  if (!isSought || request.stat !== undefined || spec.table === undefined) return null
  const branches = spec.branches?.(asking, request.tab ?? spec.defaultTab, sorts, []) ?? null
  if (branches === null) return null
  const plain = { ...request, keyword: '', filters: [] }
  const where = narrowed(spec, plain, asking, branches, extra)
  const sought = soughtOf(spec, request, asking, spec.keywordOfRow ?? spec.keyword)
  const tenant = sql<boolean>`${sql.ref(`${spec.row}.tenant_id`)} = ${asking.caller.tenantId}`
  const hits = await walkedIds(spec.row, branches, where, sorts, WALK_MOST, position, most, {
    from: spec.table,
    where: sql<boolean>`${sql.join([tenant, ...sought], sql` and `)}`,
  }).execute(asking.trx)
  const ids = [...new Set(hits.rows.map(({ id }) => id))]
  if (ids.length >= most) return ids
  const walked = walkedCount(spec.row, branches, where, sorts, WALK_MOST, position)
  const [{ n } = { n: 0 }] = (await walked.execute(asking.trx)).rows
  return n < WALK_MOST ? ids : null
}

/** What narrows the rows of the branches: tab, further condition and filters. */
function narrowed(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  { areTab = false }: Branches,
  extra?: Condition,
): readonly Condition[] {
  const every = () => sql<boolean>`true`
  const tab = request.tab ?? spec.defaultTab
  const tabs = areTab ? { ...spec.tabs, [tab]: { where: every } } : spec.tabs
  return conditionsOf({ ...spec, visible: every, tabs }, request, asking, extra)
}

async function branchesOf(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  sorts: readonly SortBy[],
): Promise<Branches | null> {
  if (request.stat !== undefined) return null
  if (request.keyword !== '') return (await spec.found?.(asking, sorts, request.keyword)) ?? null
  return spec.branches?.(asking, request.tab ?? spec.defaultTab, sorts, request.filters) ?? null
}

function baseOf(spec: ListSpec, request: ReadyListRequest, asking: Asking): readonly Condition[] {
  if (request.stat !== undefined) return [spec.stat?.(asking, request.stat) ?? bad('this list has no stat')]
  return [spec.visible(asking), tabOf(spec, request).where(asking)]
}

function tabOf(spec: ListSpec, request: ReadyListRequest): Tab {
  const name = request.tab ?? spec.defaultTab
  const tab = Object.hasOwn(spec.tabs, name) ? spec.tabs[name] : undefined
  return tab ?? bad(`unknown tab ${name}`)
}

function sortsOf(spec: ListSpec, request: ReadyListRequest, asking: Asking): readonly SortBy[] {
  if (request.sort.length === 0) return tabOf(spec, request).sort ?? spec.defaultSort
  return request.sort.map(({ field, dir }) => {
    const by = Object.hasOwn(spec.sorts, field) ? spec.sorts[field] : undefined
    if (!isClear(asking.caller, spec.entity, field)) bad(`${field} is not shown to you`)
    return by === undefined ? bad(`cannot sort by ${field}`) : { by, dir }
  })
}

function hashOf(spec: ListSpec, request: ReadyListRequest, asking: Asking, extra?: string): string {
  const { tab, keyword, filters, sort, stat } = request
  const { tenantId, userId } = asking.caller
  return fingerprint([spec.entity, tenantId, userId, extra, { tab, keyword, filters, sort, stat }])
}

function positionOf(cursor: string, hash: string, sorts: readonly SortBy[], asking: Asking): Position {
  const position = decodeCursor(cursor, hash, asking.cursorSecret)
  if (position === null || position.values.length !== sorts.length)
    refuse(400, 'BAD_FILTER', text('list.bad-cursor'), { detail: 'cursor' })
  return position
}

async function countRows(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  extra?: Condition,
): Promise<number | '999+'> {
  const { rows } = await sql<{ n: number }>`select ${counted(spec, request, asking, extra)} as n`.execute(
    asking.trx,
  )
  return capped(rows[0]?.n ?? 0)
}

/** How many rows there are, no further than what is said of them. */
function counted(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  extra?: Condition,
): RawBuilder<number> {
  return sql<number>`(select count(*) from (select 1 from ${spec.from(asking)}
    where ${sql.join(conditionsOf(spec, request, asking, extra), sql` and `)} limit ${COUNT_MOST + 1}) counted)`
}

function capped(n: number): number | '999+' {
  return n > COUNT_MOST ? '999+' : n
}
