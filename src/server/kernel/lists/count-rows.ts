import { type RawBuilder, sql } from 'kysely'
import { isClear } from '../auth/field-rights.ts'
import { idsOfAll, withoutMirrored } from './mirrored-list.ts'
import { conditionsOf, type Question, tabNameOf } from './question.ts'

/** Totals and tab counts stop here (DOMAIN 0.10). */
const MAX_COUNT = 999

/** A number of rows as returned to the client. */
export type ShownCount = number | '999+'

/** The number of rows in tabs under the request's keyword and filters; tabs that the caller may not see are left out. */
export async function countTabs(
  question: Question,
  keys: readonly string[],
): Promise<Record<string, ShownCount>> {
  const tabs = keys.filter((tab) => isTabSeen(question, tab))
  if (tabs.length === 0) return {}
  const found = foundIds(question)
  const counts = tabs.map((tab, i) => {
    const inTab = { ...question, request: { ...question.request, tab } }
    return sql`${found === null || isFew(inTab) ? counted(inTab) : countedAmong(inTab)} as ${sql.ref(`n${i}`)}`
  })
  const among = found === null ? sql`` : sql`with found (id) as materialized (${found})`
  const { rows } = await sql<Record<string, number>>`${among} select ${sql.join(counts)}`.execute(
    question.ctx.trx,
  )
  return Object.fromEntries(tabs.map((tab, i) => [tab, shownCount(rows[0]?.[`n${i}`] ?? 0)]))
}

/** Whatever distinguishes the rows of a tab would also be revealed by their number. */
function isTabSeen({ spec, ctx }: Question, tab: string): boolean {
  const by = Object.hasOwn(spec.tabs, tab) ? spec.tabs[tab]?.by : undefined
  return by === undefined || isClear(ctx.caller, spec.entity, by)
}

/** All requested rows. */
export async function countAll(question: Question): Promise<ShownCount> {
  const tab = tabNameOf(question)
  return (await countTabs(question, [tab]))[tab] ?? 0
}

/** The rows that mirrored filters match, if not looked up yet. */
function foundIds(question: Question): RawBuilder<unknown> | null {
  const { spec, request, rare = null } = question
  const countsAll = rare === null && request.stat === undefined && spec.table !== undefined
  return countsAll ? idsOfAll(question) : null
}

/** True for a tab with few rows to examine: those of one person, and those of lists of ids. */
function isFew(question: Question): boolean {
  const { spec, ctx, sorts } = question
  if (spec.branches === undefined) return tabNameOf(question) !== spec.defaultTab
  const branches = spec.branches(ctx, tabNameOf(question), sorts, [])
  return branches === null ? spec.pooled !== true : branches.isOwn === true
}

/** The number of rows, counted no further than the maximum that is reported. */
function counted(question: Question): RawBuilder<number> {
  return sql<number>`(select count(*) from (select 1 from ${tableOf(question)}
    where (${sql.join(conditionsOf(question), sql`) and (`)}) limit ${MAX_COUNT + 1}) counted)`
}

/** The same for ids that were found, each looked up. */
function countedAmong(question: Question): RawBuilder<number> {
  const at = (column: string) => sql.ref(`${question.spec.row}.${column}`)
  const conditions = conditionsOf(withoutMirrored(question))
  return sql<number>`(select count(*) from (select 1 from found cross join lateral (select 1 from ${tableOf(question)}
    where ${at('tenant_id')} = ${question.ctx.caller.tenantId} and ${at('id')} = found.id and (${sql.join(conditions, sql`) and (`)})
    limit 1) passed limit ${MAX_COUNT + 1}) counted)`
}

/** The listed table, with the joins of a card only if a filter needs them. */
function tableOf({ spec, request, ctx }: Question): RawBuilder<unknown> {
  const isJoined = request.filters.some(({ field }) => spec.filters[field]?.row !== undefined)
  return isJoined || request.stat !== undefined ? spec.from(ctx) : (spec.table ?? spec.from(ctx))
}

const shownCount = (n: number): ShownCount => (n > MAX_COUNT ? '999+' : n)

/** Counts the rows and sums columns of the table, grouped by another column or by a computed value (`key` of the answer). */
export async function sumRows<Column extends string>(
  question: Question,
  by: string | RawBuilder<unknown>,
  columns: readonly Column[],
): Promise<readonly Readonly<Record<Column | 'count', number> & { key: string }>[]> {
  const { spec, ctx } = question
  const at = (name: string) => sql.ref(`${spec.row}.${name}`)
  const sums = columns.map((name) => sql`coalesce(sum(${at(name)}), 0) as ${sql.ref(name)}`)
  const key = typeof by === 'string' ? at(by) : by
  const { rows } = await sql<Record<Column | 'count', number> & { key: string }>`
    select ${key} as key, count(*) as count, ${sql.join(sums)} from ${spec.table ?? spec.from(ctx)}
    where ${sql.join(conditionsOf(question), sql` and `)} group by 1`.execute(ctx.trx)
  return rows
}
