import { type RawBuilder, sql } from 'kysely'
import type { ListAnswer } from '../../../contract/list.ts'
import type { Asking } from '../asking/asking.ts'
import { isClear } from '../auth/field-rights.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { dateTimeText } from '../time/zone.ts'
import { withReach } from '../visibility/reach.ts'
import { type Branches, isMirrored, lookedUp, pageIds, walkedCount, walkedIds } from './branches.ts'
import { decodeCursor, encodeCursor, fingerprint, type Position } from './cursor.ts'
import { BadFilter, filterCondition } from './filter-sql.ts'
import { isAfter, orderBy, type SortBy, sortValues } from './keyset.ts'
import { bad, type ReadyListRequest } from './list-request.ts'
import type { Condition, ListSpec, Tab } from './list-spec.ts'
import { mirrorWalk } from './mirror.ts'
import { contextOf, idsOfAll, rareIds } from './mirrored-list.ts'

/** Totals and tab counts stop here (DOMAIN 0.10). */
const COUNT_MOST = 999

/** A part of a list: its rows, and what tells it from other parts, so that no cursor of one goes on in another. */
export interface Part {
  readonly where: Condition
  readonly key: string
}

/** A list as one caller asks for it. Every method takes one statement or a few; none keeps anything. */
export interface List<Row extends object> {
  /** Reads nothing. @throws Refusal 400 BAD_FILTER when the list could not answer the request */
  check(): void
  /** One page, and what was asked for with it. */
  page(draw: (row: Row) => object): Promise<ListAnswer<object>>
  /** Rows of tabs under the request's keyword and filters, each at most 999 (then `"999+"`). */
  counts(tabs: readonly string[]): Promise<Record<string, number | '999+'>>
  /** Ids of every row, in order of ids. @throws Refusal 422 when there are more than `most` */
  ids(most: number): Promise<readonly string[]>
  /** Ids of the rows before and after a row; null where the list ends. */
  neighbours(id: string): Promise<{ readonly prevId: string | null; readonly nextId: string | null }>
  /** Counts the rows and adds up columns of the table, by the values of another or of what is worked out of them (`key` of the answer). */
  sums<Column extends string>(
    by: string | RawBuilder<unknown>,
    columns: readonly Column[],
  ): Promise<readonly Readonly<Record<Column | 'count', number> & { key: string }>[]>
}

/** What is asked of which list, by whom. */
interface Question {
  readonly spec: ListSpec
  readonly request: ReadyListRequest
  readonly asking: Asking
  readonly sorts: readonly SortBy[]
  readonly part: Part | undefined
  /** What the rarest filter finds, where that is little: every statement then asks for these rows alone. */
  readonly rare?: readonly string[] | null
}

/**
 * Opens a list for a request.
 *
 * @param part  only these of its rows
 * @throws Refusal 400 BAD_FILTER for a tab or an order this list does not have; for the rest when it is asked
 */
export function openList<Row extends object>(
  spec: ListSpec,
  request: ReadyListRequest,
  asking: Asking,
  part?: Part,
): List<Row> {
  const given: Question = { spec, request, asking, part, sorts: sortsOf(spec, request, asking) }
  let reached: Promise<Question> | undefined
  /** What the caller's data scope comes down to, and what a rare filter finds, is looked up once. */
  const asked = (): Promise<Question> => (reached ??= knowing(given))
  return {
    check: () => void conditionsOf(given),
    page: async (draw) => pageOf(await asked(), draw),
    counts: async (tabs) => countsOf(await asked(), tabs),
    ids: async (most) => idsOf(await withRare(given), most),
    neighbours: async (id) => neighboursOf(await asked(), id),
    sums: async (by, columns) => sumsOf(await asked(), by, columns),
  }
}

async function knowing(given: Question): Promise<Question> {
  const { spec, asking } = given
  return withRare(spec.scoped ? { ...given, asking: await withReach(asking) } : given)
}

async function withRare(question: Question): Promise<Question> {
  const { spec, request, asking } = question
  const isAsked = request.filters.some(({ field }) => spec.filters[field]?.mirror !== undefined)
  if (!isAsked || request.stat !== undefined) return question
  // A filter that cannot be asked is refused before it is.
  soughtOf(question, spec.keyword)
  return { ...question, rare: await rareIds(spec, request.filters, asking) }
}

async function pageOf<Row extends object>(
  question: Question,
  draw: (row: Row) => object,
): Promise<ListAnswer<object>> {
  const { spec, request, asking, sorts } = question
  const hash = hashOf(question)
  const position = request.cursor ? positionOf(request.cursor, hash, question) : null
  const most = request.limit + 1
  const { rows } = await sql<Row & { sort_values: string[]; id: string }>`
    select ${spec.columns(asking)}, ${sortValues(spec.row, sorts)} as sort_values
    from ${spec.from(asking)} where ${await foundBy(question, most, position)}
    order by ${orderBy(spec.row, sorts)} limit ${most}`.execute(asking.trx)
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
    ...(request.withTotal ? { total: await totalOf(question) } : {}),
    ...(request.withTabs ? { tabs: await countsOf(question, Object.keys(spec.tabs)) } : {}),
    serverTime: dateTimeText(asking.now, asking.zone),
  }
}

/** The rows of a page: by their ids, where those are found by reading little more than them; else by everything asked of them. */
async function foundBy(
  question: Question,
  most: number,
  position: Position | null,
): Promise<RawBuilder<unknown>> {
  const { spec, sorts } = question
  const walked =
    (await firstWith(question, sorts, most, position)) ??
    (await firstInMirror(question, sorts, most, position))
  if (walked !== null) return isOnPage(question, sql`select unnest(${walked}::text[])`)
  const branches = await branchesOf(question)
  if (branches !== null)
    return isOnPage(
      question,
      pageIds(spec.row, branches, narrowed(question, branches), sorts, most, position),
    )
  const after = position === null ? [] : [isAfter(spec.row, sorts, position)]
  return sql.join([...conditionsOf(question), ...after], sql` and `)
}

async function countsOf(
  question: Question,
  tabs: readonly string[],
): Promise<Record<string, number | '999+'>> {
  if (tabs.length === 0) return {}
  const counts = tabs.map(
    (tab, i) =>
      sql`${counted({ ...question, request: { ...question.request, tab } })} as ${sql.ref(`n${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(question.asking.trx)
  return Object.fromEntries(tabs.map((tab, i) => [tab, capped(rows[0]?.[`n${i}`] ?? 0)]))
}

async function totalOf(question: Question): Promise<number | '999+'> {
  const { rows } = await sql<{ n: number }>`select ${counted(question)} as n`.execute(question.asking.trx)
  return capped(rows[0]?.n ?? 0)
}

/** How many rows there are, no further than what is said of them. */
function counted(question: Question): RawBuilder<number> {
  const { spec, asking } = question
  return sql<number>`(select count(*) from (select 1 from ${spec.from(asking)}
    where (${sql.join(conditionsOf(question), sql`) and (`)}) limit ${COUNT_MOST + 1}) counted)`
}

function capped(n: number): number | '999+' {
  return n > COUNT_MOST ? '999+' : n
}

async function idsOf(question: Question, most: number): Promise<readonly string[]> {
  const { spec, asking } = question
  const id = sql.ref(`${spec.row}.id`)
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${spec.from(asking)}
    where ${sql.join(conditionsOf(question), sql` and `)} order by ${id} limit ${most + 1}`.execute(
    asking.trx,
  )
  if (rows.length > most) refuse(422, 'BATCH_TOO_LARGE', text('record.batch', { most }))
  return rows.map((row) => row.id)
}

async function neighboursOf(
  question: Question,
  id: string,
): Promise<{ readonly prevId: string | null; readonly nextId: string | null }> {
  const { spec, asking, sorts } = question
  const idColumn = sql.ref(`${spec.row}.id`)
  const here = await sql<{ sort_values: string[] }>`select ${sortValues(spec.row, sorts)} as sort_values
    from ${spec.from(asking)} where ${spec.visible(asking)} and ${idColumn} = ${id}`.execute(asking.trx)
  const values = here.rows[0]?.sort_values
  if (values === undefined) return { prevId: null, nextId: null }
  const branches = await branchesOf(question)
  const first = async (order: readonly SortBy[]) => {
    const walked =
      (await firstWith(question, order, 1, { values, id })) ??
      (await firstInMirror(question, order, 1, { values, id }))
    if (walked !== null) return walked[0] ?? null
    const query =
      branches === null
        ? sql<{ id: string }>`select ${idColumn} as id from ${spec.from(asking)}
            where ${sql.join([...conditionsOf(question), isAfter(spec.row, order, { values, id })], sql` and `)}
            order by ${orderBy(spec.row, order)} limit 1`
        : pageIds(spec.row, branches, narrowed(question, branches), order, 1, { values, id })
    const { rows } = await query.execute(asking.trx)
    return (rows[0] as { id: string } | undefined)?.id ?? null
  }
  return { prevId: await first(sorts.map(backwards)), nextId: await first(sorts) }
}

function backwards(sort: SortBy): SortBy {
  return { ...sort, isBackwards: true }
}

async function sumsOf<Column extends string>(
  question: Question,
  by: string | RawBuilder<unknown>,
  columns: readonly Column[],
): Promise<readonly Readonly<Record<Column | 'count', number> & { key: string }>[]> {
  const { spec, asking } = question
  const at = (name: string) => sql.ref(`${spec.row}.${name}`)
  const sums = columns.map((name) => sql`coalesce(sum(${at(name)}), 0) as ${sql.ref(name)}`)
  const key = typeof by === 'string' ? at(by) : by
  const { rows } = await sql<Record<Column | 'count', number> & { key: string }>`
    select ${key} as key, count(*) as count, ${sql.join(sums)} from ${spec.table ?? spec.from(asking)}
    where ${sql.join(conditionsOf(question), sql` and `)} group by 1`.execute(asking.trx)
  return rows
}

/** Everything a row has to be. */
function conditionsOf(question: Question): readonly Condition[] {
  const { spec, part, rare } = question
  return [
    ...(rare === undefined || rare === null ? [] : [isOneOf(spec, rare)]),
    ...baseOf(question),
    ...(part === undefined ? [] : [part.where]),
    ...soughtOf(question, spec.keyword),
  ]
}

/** Known ids, by a query: the planner then looks each of them up, and does not read a small table as a whole. */
const isOneOf = ({ row }: ListSpec, ids: readonly string[]): Condition =>
  sql<boolean>`${sql.ref(`${row}.id`)} = any(array(select unnest(${[...ids]}::text[])))`

/** What the request looks for: its keyword and its filters. */
function soughtOf({ spec, request, asking }: Question, keyword: ListSpec['keyword']): readonly Condition[] {
  const { row, now, zone, isHeld } = contextOf(spec, asking)
  // What a number of the statistics counted may lie in a pool by now.
  const context = request.stat === undefined ? { row, now, zone, isHeld } : { row, now, zone }
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

function isOnPage({ spec, asking: { caller } }: Question, ids: RawBuilder<unknown>): Condition {
  const at = (column: string) => sql.ref(`${spec.row}.${column}`)
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('id')} = any(array(${ids})))`
}

/** Rows of a list that are tested for a keyword or several filters, in the list's order, before the indexes are used. */
const WALK_MOST = 1000
/**
 * The same where the first rows held enough matches that these fill the page: filters by themselves find far more rows.
 * Not in the order of a mirror, whose rows each lead to their record.
 */
const WALK_FAR = 8000

/**
 * Ids of a page of what a keyword or several filters find, when the first rows of the list give it: a common word is then found at once,
 * and whoever sees few rows never pays for the words of all others. Null when that may not be all, and where a list has one index to ask.
 */
async function firstWith(
  question: Question,
  sorts: readonly SortBy[],
  most: number,
  position: Position | null,
): Promise<readonly string[] | null> {
  const { spec, request, asking, rare = null } = question
  if (rare !== null) return null
  const isSought =
    request.keyword !== '' ||
    request.filters.length > 1 ||
    request.filters.some(({ field }) => spec.filters[field]?.mirror !== undefined)
  if (!isSought || request.stat !== undefined || spec.table === undefined) return null
  const branches = spec.branches?.(asking, request.tab ?? spec.defaultTab, sorts, []) ?? null
  if (branches === null) return null
  const plain = { ...question, request: { ...request, keyword: '', filters: [] } }
  const where = narrowed(plain, branches)
  const sought = soughtOf(question, spec.keywordOfRow ?? spec.keyword)
  const tenant = sql<boolean>`${sql.ref(`${spec.row}.tenant_id`)} = ${asking.caller.tenantId}`
  const tested = { from: spec.table, where: sql<boolean>`${sql.join([tenant, ...sought], sql` and `)}` }
  for (const bound of isMirrored(sorts) ? [WALK_MOST] : [WALK_MOST, WALK_FAR]) {
    const hits = await walkedIds(spec.row, branches, where, sorts, bound, position, most, tested).execute(
      asking.trx,
    )
    const ids = [...new Set(hits.rows.map(({ id }) => id))]
    if (ids.length >= most) return ids
    const walked = walkedCount(spec.row, branches, where, sorts, bound, position)
    const [{ n } = { n: 0 }] = (await walked.execute(asking.trx)).rows
    if (n < bound) return ids
    if (ids.length * (WALK_FAR / WALK_MOST) < 2 * most) return null
  }
  return null
}

/**
 * Ids of a page of a list that no branches take apart, in the order of a mirror: its first rows are looked up one after the other and held
 * against all that is asked. Null when they do not fill the page, and in any other order.
 */
async function firstInMirror(
  question: Question,
  sorts: readonly SortBy[],
  most: number,
  position: Position | null,
): Promise<readonly string[] | null> {
  const { spec, request, asking, rare = null } = question
  const [sort, ...more] = sorts
  const mirror = sort?.by.mirror
  if (mirror === undefined || more.length > 0 || rare !== null || request.stat !== undefined) return null
  // Other tabs hold few rows: those are better found first.
  const isWide = (request.tab ?? spec.defaultTab) === spec.defaultTab
  if (!isWide || (spec.branches !== undefined && spec.pooled !== true)) return null
  const { tenantId } = asking.caller
  const tenant = sql<boolean>`${sql.ref(`${spec.row}.tenant_id`)} = ${tenantId}`
  const tested = {
    from: spec.from(asking),
    where: sql<boolean>`${sql.join([tenant, ...conditionsOf(question)], sql` and `)}`,
  }
  const ids: string[] = []
  // Those without a value stand last: they are met where those with one do not fill the page, or first by who comes from the end.
  for (const isNone of sort?.isBackwards === true ? [true, false] : [false, true]) {
    const mirrored = { mirror, isNone }
    const walk = { each: [{ ...mirrorWalk(mirrored, tenantId, spec.pooled !== true), mirrored }] }
    const left = most - ids.length
    const hits = await walkedIds(spec.row, walk, [], sorts, WALK_MOST, position, left, tested).execute(
      asking.trx,
    )
    ids.push(...hits.rows.map(({ id }) => id))
    if (ids.length >= most) return ids
    const walked = walkedCount(spec.row, walk, [], sorts, WALK_MOST, position)
    const [{ n } = { n: 0 }] = (await walked.execute(asking.trx)).rows
    if (n >= WALK_MOST) return null
  }
  return ids
}

/** What narrows the rows of the branches: tab, part and filters. */
function narrowed(question: Question, { areTab = false }: Branches): readonly Condition[] {
  const { spec, request } = question
  const every = () => sql<boolean>`true`
  const tab = request.tab ?? spec.defaultTab
  const tabs = areTab ? { ...spec.tabs, [tab]: { where: every } } : spec.tabs
  return conditionsOf({ ...question, spec: { ...spec, visible: every, tabs } })
}

async function branchesOf(question: Question): Promise<Branches | null> {
  const { spec, request, asking, sorts, rare = null } = question
  if (request.stat !== undefined) return null
  if (rare !== null) return rareRows(question, isOneOf(spec, rare))
  if (request.keyword !== '') return (await spec.found?.(asking, sorts, request.keyword)) ?? null
  // The first rows of the list did not fill a page: so few pass all filters that their ids are asked for.
  const ids = spec.branches === undefined ? null : idsOfAll(spec, request.filters, asking)
  if (ids !== null) return rareRows(question, sql<boolean>`${sql.ref(`${spec.row}.id`)} = any(array(${ids}))`)
  // Rows that a filter leaves out would be walked past in the order of a mirror.
  if (isMirrored(sorts) && request.filters.length > 0) return null
  return spec.branches?.(asking, request.tab ?? spec.defaultTab, sorts, request.filters) ?? null
}

/** Known rows of the list's own table, each looked up. */
function rareRows({ spec, asking }: Question, areThey: Condition): Branches | null {
  const { table, row } = spec
  if (table === undefined) return null
  const isSeen = sql<boolean>`(${sql.ref(`${row}.tenant_id`)} = ${asking.caller.tenantId} and ${areThey}
    and ${spec.visible(asking)})`
  return { each: [lookedUp(row, table, isSeen)] }
}

function baseOf({ spec, request, asking }: Question): readonly Condition[] {
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

function hashOf({ spec, request, asking, part }: Question): string {
  const { tab, keyword, filters, sort, stat } = request
  const { tenantId, userId } = asking.caller
  return fingerprint([spec.entity, tenantId, userId, part?.key, { tab, keyword, filters, sort, stat }])
}

function positionOf(cursor: string, hash: string, { sorts, asking }: Question): Position {
  const position = decodeCursor(cursor, hash, asking.cursorSecret)
  if (position === null || position.values.length !== sorts.length)
    refuse(400, 'BAD_FILTER', text('list.bad-cursor'), { detail: 'cursor' })
  return position
}
