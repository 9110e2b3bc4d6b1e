import { type RawBuilder, sql } from 'kysely'
import type { ListAnswer } from '../../../contract/list.ts'
import type { CallContext } from '../context/call-context.ts'
import { columnNamed } from '../db/column.ts'
import { withLastStatements } from '../db/transaction.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { dateTimeText } from '../time/zone.ts'
import { needsNoLookup } from '../visibility/owned-parts.ts'
import { withReach } from '../visibility/reach.ts'
import { countAll, countTabs, type ShownCount, sumRows } from './count-rows.ts'
import { decodeCursor, encodeCursor, fingerprint, type Position } from './cursor.ts'
import { isAfter, orderBy, type SortBy, sortValues } from './keyset.ts'
import { bad, type ReadyListRequest } from './list-request.ts'
import type { Condition, ListSpec } from './list-spec.ts'
import { rareIds } from './mirrored-list.ts'
import { idsOfPage, type PageOf } from './page-ids.ts'
import { conditionsOf, type Part, type Question, soughtOf, tabOf } from './question.ts'
import { refuseUnseen } from './unseen-field.ts'

/** A list as requested by one caller. Every method uses one statement or a few; results are not cached. */
export interface List<Row extends object> {
  /** Checks without reading. @throws Refusal 400 BAD_FILTER if the list could not answer the request */
  check(): void
  /** One page, and what was requested with it. @param options `isLast`: it is the last query of its transaction, which ends with it */
  page(draw: (row: Row) => object, options?: { readonly isLast: boolean }): Promise<ListAnswer<object>>
  /** The number of rows in tabs under the request's keyword and filters, each at most 999 (then `"999+"`). */
  counts(tabs: readonly string[]): Promise<Record<string, ShownCount>>
  /** Ids of all rows, in order of ids. @throws Refusal 422 if there are more than `most` */
  ids(most: number): Promise<readonly string[]>
  /** Ids of the rows before and after a row; null at the ends of the list. */
  neighbours(id: string): Promise<{ readonly prevId: string | null; readonly nextId: string | null }>
  /** Counts the rows and sums columns of the table, grouped by another column or by a computed value (`key` of the answer). */
  sums<Column extends string>(
    by: string | RawBuilder<unknown>,
    columns: readonly Column[],
  ): Promise<readonly Readonly<Record<Column | 'count', number> & { key: string }>[]>
}

/**
 * Opens a list for a request.
 *
 * @param part  restricts it to these rows
 * @throws Refusal 400 BAD_FILTER for a tab or an order that the list does not have; other errors when it is read
 */
export function openList<Row extends object>(
  spec: ListSpec,
  request: ReadyListRequest,
  ctx: CallContext,
  part?: Part,
): List<Row> {
  const given: Question = { spec, request, ctx, part, sorts: sortsOf(spec, request, ctx) }
  let reached: Promise<Question> | undefined
  /** The caller's resolved data scope, and the matches of a selective filter, are looked up once. */
  const readQuestion = (): Promise<Question> => (reached ??= knowing(given))
  return {
    check: () => void conditionsOf(given),
    page: async (draw, options) =>
      pageOf(isSingleStatement(given) ? given : await readQuestion(), draw, options?.isLast === true),
    counts: async (tabs) => countTabs(await readQuestion(), tabs),
    ids: async (most) => idsOf(await withRare(given), most),
    neighbours: async (id) => neighboursOf(await readQuestion(), id),
    sums: async (by, columns) => sumRows(await readQuestion(), by, columns),
  }
}

/** True for a page whose branches are known without a query: then one statement does everything. */
function isSingleStatement({ spec, request, ctx }: Question): boolean {
  const { keyword, filters, stat, withTotal, withTabs } = request
  const isPlain = keyword === '' && filters.length === 0 && stat === undefined && !withTotal && !withTabs
  return isPlain && spec.scoped === true && spec.branches !== undefined && needsNoLookup(ctx.caller)
}

async function knowing(given: Question): Promise<Question> {
  const { spec, ctx } = given
  if (spec.scoped === undefined) return withRare(given)
  return withRare({ ...given, ctx: await withReach(ctx, spec.scoped === 'team') })
}

async function withRare(question: Question): Promise<Question> {
  const { spec, request } = question
  const hasMirror = request.filters.some(({ field }) => spec.filters[field]?.mirror !== undefined)
  if (!hasMirror || request.stat !== undefined) return question
  // An invalid filter is refused before any query.
  soughtOf(question)
  return { ...question, rare: await rareIds(question) }
}

async function pageOf<Row extends object>(
  question: Question,
  draw: (row: Row) => object,
  isLast: boolean,
): Promise<ListAnswer<object>> {
  const { spec, request, ctx, sorts } = question
  const position = request.cursor ? positionOf(request.cursor, hashOf(question), question) : null
  const most = request.limit + 1
  const rowsOfPage = sql<Row & { sort_values: string[]; id: string }>`
    select ${spec.columns(ctx, request.stat !== undefined)}, ${sortValues(spec.row, sorts)} as sort_values
    from ${spec.from(ctx)} where ${await foundBy(question, { sorts, most, after: position })}
    order by ${orderBy(spec.row, sorts)} limit ${most}`
  const isAll = isLast && !request.withTotal && !request.withTabs
  const runPage = () => rowsOfPage.execute(ctx.trx)
  const { rows } = await (isAll ? withLastStatements(ctx.trx, runPage) : runPage())
  const page = rows.slice(0, request.limit)
  const last = page.at(-1)
  const hasMore = rows.length > request.limit
  const end = hasMore && last ? { values: last.sort_values, id: last.id } : null
  return {
    list: page.map((row) => draw(Object.assign(row, NO_SORT_VALUES))),
    nextCursor: end === null ? null : encodeCursor(end, hashOf(question), ctx.cursorSecret),
    hasMore,
    ...(request.withTotal ? { total: await countAll(question) } : {}),
    ...(request.withTabs ? { tabs: await countTabs(question, Object.keys(spec.tabs)) } : {}),
    serverTime: dateTimeText(ctx.now, ctx.zone),
  }
}

/** Removes the sort position from a row; copying the row without it would cost more than formatting it. */
const NO_SORT_VALUES = { sort_values: undefined }

/** The rows of a page: by their ids, if those are found by reading little more than them; otherwise by one query with all conditions. */
async function foundBy(question: Question, page: PageOf): Promise<RawBuilder<unknown>> {
  const found = await idsOfPage(question, page)
  if (found !== null)
    return isOnPage(question, found.ids === null ? found.query : sql`select unnest(${found.ids}::text[])`)
  return asSingleQuery(question, page)
}

/** All conditions on the rows of a page. */
function asSingleQuery(question: Question, { sorts, after }: PageOf): RawBuilder<unknown> {
  const behind = after === null ? [] : [isAfter(question.spec.row, sorts, after)]
  return sql.join([...conditionsOf(question), ...behind], sql` and `)
}

function isOnPage({ spec, ctx: { caller } }: Question, ids: RawBuilder<unknown>): Condition {
  const at = (column: string) => columnNamed(`${spec.row}.${column}`)
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('id')} = any(array(${ids})))`
}

async function idsOf(question: Question, most: number): Promise<readonly string[]> {
  const { spec, ctx } = question
  const id = columnNamed(`${spec.row}.id`)
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${spec.from(ctx)}
    where ${sql.join(conditionsOf(question), sql` and `)} order by ${id} limit ${most + 1}`.execute(ctx.trx)
  if (rows.length > most) refuse(422, 'BATCH_TOO_LARGE', text('record.batch', { most }))
  return rows.map((row) => row.id)
}

async function neighboursOf(
  question: Question,
  id: string,
): Promise<{ readonly prevId: string | null; readonly nextId: string | null }> {
  const { spec, ctx, sorts } = question
  const idColumn = columnNamed(`${spec.row}.id`)
  const current = await sql<{ sort_values: string[] }>`select ${sortValues(spec.row, sorts)} as sort_values
    from ${spec.from(ctx)} where ${spec.visible(ctx)} and ${idColumn} = ${id}`.execute(ctx.trx)
  const values = current.rows[0]?.sort_values
  if (values === undefined) return { prevId: null, nextId: null }
  const next = (order: readonly SortBy[]) =>
    firstOf(question, { sorts: order, most: 1, after: { values, id } })
  return { prevId: await next(sorts.map(backwards)), nextId: await next(sorts) }
}

/** The id of the first row of a page; null if there is none. */
async function firstOf(question: Question, page: PageOf): Promise<string | null> {
  const { spec, ctx } = question
  const found = await idsOfPage(question, page)
  if (found !== null && found.ids !== null) return found.ids[0] ?? null
  const query =
    found?.query ??
    sql<{ id: string }>`select ${columnNamed(`${spec.row}.id`)} as id from ${spec.from(ctx)}
      where ${asSingleQuery(question, page)} order by ${orderBy(spec.row, page.sorts)} limit 1`
  const { rows } = await query.execute(ctx.trx)
  return rows[0]?.id ?? null
}

function backwards(sort: SortBy): SortBy {
  return { ...sort, isBackwards: true }
}

function sortsOf(spec: ListSpec, request: ReadyListRequest, ctx: CallContext): readonly SortBy[] {
  if (request.sort.length === 0) return tabOf({ spec, request }).sort ?? spec.defaultSort
  return request.sort.map(({ field, dir }) => {
    const by = Object.hasOwn(spec.sorts, field) ? spec.sorts[field] : undefined
    refuseUnseen(field, spec, ctx)
    return by === undefined ? bad(`cannot sort by ${field}`) : { by, dir }
  })
}

function hashOf({ spec, request, ctx, part }: Question): string {
  const { tab, keyword, filters, sort, stat } = request
  const { tenantId, userId } = ctx.caller
  return fingerprint([spec.entity, tenantId, userId, part?.key, { tab, keyword, filters, sort, stat }])
}

function positionOf(cursor: string, hash: string, { sorts, ctx }: Question): Position {
  const position = decodeCursor(cursor, hash, ctx.cursorSecret)
  if (position === null || position.values.length !== sorts.length)
    refuse(400, 'BAD_FILTER', text('list.bad-cursor'), { detail: 'cursor' })
  return position
}
