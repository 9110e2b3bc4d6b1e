import { type RawBuilder, sql } from 'kysely'
import { STATISTIC_KEYS, type StatisticKey } from '../../../contract/home.ts'
import type { StatFilter } from '../../../contract/list.ts'
import { scopeOf } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import { calendarDaysOf, instantsOf, type WallSpan } from '../time/period.ts'
import { dayText, type WallTime } from '../time/zone.ts'
import { membersInScope, poolsOf } from '../visibility/predicate.ts'
import { knownSum, type SummedField } from './known-sum.ts'
import { bad } from './list-request.ts'
import { readScope, readSpans, type StatScope } from './stat-question.ts'

type Condition = RawBuilder<boolean>
/** Tables whose rows are counted. */
export type StatEntity = 'customer' | 'bussiness' | 'follow' | 'contract' | 'payment'

/** Which rows a statistic counts, of which table, and what it sums. */
interface StatRule {
  readonly entity: StatEntity
  readonly sum?: 'stat_amount' | 'amount'
  /** The column with the person the row belongs to. */
  readonly person?: 'owner_id' | 'first_owner_id' | 'author_id'
  /** Where `stat_day` keeps its sums (migration 0300), and whether their days are calendar days or days of UTC. */
  readonly days?: { readonly key: string; readonly of: 'calendar' | 'utc' }
  readonly where: (question: StatQuestion, row: string) => Condition
}

/** A requested statistic: for whom, and when. */
export interface StatQuestion {
  readonly ctx: CallContext
  readonly scope: StatScope
  readonly span: WallSpan
  /** A part of the period, for events with a time. */
  readonly moments?: Moments
  /** The people in the scope, looked up (`namePeople`): the planner then knows how many there are. */
  readonly people?: Readonly<Record<StatModule, readonly string[]>>
}

const STAT_MODULES = ['customer', 'lead', 'bussiness', 'contract'] as const
type StatModule = (typeof STAT_MODULES)[number]

/** Start and end of a part of a period: values, or columns of the query. */
interface Moments {
  readonly from: unknown
  readonly to: unknown
}

const contracts = (question: StatQuestion, row: string) => sql<boolean>`(${col(row, 'approval_status')} = 2
  and ${onDays(question, col(row, 'sign_date'))} and ${isBy(question, 'contract', col(row, 'owner_id'))})`
const payments = (question: StatQuestion, row: string) => sql<boolean>`(${col(row, 'approval_status')} = 2
  and ${onDays(question, col(row, 'paid_at'))} and ${isBy(question, 'contract', col(row, 'owner_id'))})`

const CONTRACT_DAYS = { key: 'new_contract', of: 'calendar' } as const
const PAYMENT_DAYS = { key: 'new_amount', of: 'calendar' } as const

/** The definitions of DOMAIN 3, one entry each; the tile counts and the list shows rows by the same rule. */
const RULES: Readonly<Record<StatisticKey, StatRule>> = {
  new_customer: {
    entity: 'customer',
    person: 'first_owner_id',
    days: { key: 'new_customer', of: 'utc' },
    where: (question, row) => sql<boolean>`(${during(question, col(row, 'created_at'))}
      and ${isBy(question, 'customer', col(row, 'first_owner_id'))})`,
  },
  new_public_customer: {
    entity: 'customer',
    where: (question, row) => sql<boolean>`${col(row, 'id')} = any(array(${publicMoves(question)}))`,
  },
  new_bussiness: {
    entity: 'bussiness',
    person: 'owner_id',
    days: { key: 'new_bussiness', of: 'utc' },
    where: (question, row) => sql<boolean>`(${during(question, col(row, 'created_at'))}
      and ${isBy(question, 'bussiness', col(row, 'owner_id'))})`,
  },
  new_customer_follow: {
    entity: 'follow',
    person: 'author_id',
    days: { key: 'new_customer_follow', of: 'utc' },
    where: (question, row) => sql<boolean>`(${during(question, col(row, 'followed_at'))}
      and ${col(row, 'source')} <> 'system' and ${isBy(question, 'customer', col(row, 'author_id'))})`,
  },
  // A revised contract counts as one contract, on the day it was first signed; its amounts are separated in `stat_amount`.
  new_contract: {
    entity: 'contract',
    person: 'owner_id',
    days: CONTRACT_DAYS,
    where: (question, row) =>
      sql<boolean>`(${contracts(question, row)} and ${col(row, 'revision_of')} is null)`,
  },
  new_contract_total: {
    entity: 'contract',
    person: 'owner_id',
    days: CONTRACT_DAYS,
    where: contracts,
    sum: 'stat_amount',
  },
  new_amount: {
    entity: 'payment',
    person: 'owner_id',
    days: PAYMENT_DAYS,
    where: (question, row) =>
      sql<boolean>`(${payments(question, row)} and ${col(row, 'reverses_id')} is null)`,
  },
  new_amount_total: {
    entity: 'payment',
    person: 'owner_id',
    days: PAYMENT_DAYS,
    where: payments,
    sum: 'amount',
  },
}

/** What a statistic sums: stored sums of months and days, and for the rest of the period each single row. */
type Level = 'month' | 'day' | 'row'

interface Piece {
  readonly level: Level
  /** Calendar days, or times as ISO texts. */
  readonly from: string
  readonly to: string
}

const LEVELS = ['month', 'day', 'row'] as const

/** The fields of a statistic's sum that its reader must see to know that of a single record. */
const SUMS: Partial<Readonly<Record<StatisticKey, SummedField>>> = {
  new_contract_total: ['contract', 'amount'],
  new_amount_total: ['payment', 'amount'],
}

/** A sum of a statistic as its reader may know it. @param value  the sum, `records` how many rows it adds up; both numbers */
export function knownStat(
  key: StatisticKey,
  { value, records }: { readonly value: RawBuilder<unknown>; readonly records: RawBuilder<unknown> },
  ctx: CallContext,
): RawBuilder<unknown> {
  const field = SUMS[key]
  return field === undefined ? value : knownSum(field, { sum: value, records }, ctx)
}

/** The statistic for each of several periods, as rows `i, value` (`i` from 0); missing values are 0, a sum that the caller may not know is null. */
export function statNumbers(
  key: StatisticKey,
  question: StatQuestion,
  spans: readonly WallSpan[],
): RawBuilder<unknown> {
  const pieces = spans.flatMap((span, i) =>
    piecesOf(key, { ...question, span }).map((piece) => ({ i, ...piece })),
  )
  const parts = LEVELS.flatMap((level) => {
    const levelPieces = pieces.filter((piece) => piece.level === level)
    if (levelPieces.length === 0) return []
    const type = sql.raw(level === 'row' ? 'timestamptz[]' : 'date[]')
    const values = valuesOf(key, level, question, { from: sql.ref('b.from'), to: sql.ref('b.to') })
    return [
      sql`select b.i, s.value, s.records from unnest(${levelPieces.map((piece) => piece.i)}::int[],
        ${levelPieces.map((piece) => piece.from)}::${type}, ${levelPieces.map((piece) => piece.to)}::${type}) b(i, "from", "to")
        cross join lateral (select sum(part.value) as value, sum(part.records) as records from (${values}) part) s`,
    ]
  })
  if (parts.length === 0) return sql`select 0 as i, 0 as value`
  const known = knownStat(key, SUMMED, question.ctx)
  return sql`select i, ${known} as value from (${sql.join(parts, sql` union all `)}) parts group by i`
}

const SUMMED = { value: sql`coalesce(sum(value), 0)`, records: sql`coalesce(sum(records), 0)` }

/** The statistic by person, as rows `user_id, n, records`: what `knownStat` needs to say of it what the caller may know. */
export function statByPerson(key: StatisticKey, question: StatQuestion): RawBuilder<unknown> {
  const parts = piecesOf(key, question).map(({ level, from, to }) => {
    const type = sql.raw(level === 'row' ? 'timestamptz' : 'date')
    return valuesOf(key, level, question, { from: sql`${from}::${type}`, to: sql`${to}::${type}` })
  })
  if (parts.length === 0) return sql`select null::text as user_id, 0 as n, 0 as records`
  return sql`select user_id, sum(value) as n, sum(records) as records from (${sql.join(parts, sql` union all `)}) parts group by 1`
}

/** Rows `user_id, value, records` that sum up to a statistic between two days or times. */
function valuesOf(
  key: StatisticKey,
  level: Level,
  question: StatQuestion,
  moments: Moments,
): RawBuilder<unknown> {
  const { entity, sum, person = null, days } = RULES[key]
  const { tenantId } = question.ctx.caller
  if (level !== 'row')
    return sql`select s.user_id, ${sql.ref(sum === undefined ? 's.n' : 's.amount')} as value, s.n as records from stat_day s
      where s.tenant_id = ${tenantId} and s.key = ${days?.key} and s.unit = ${level}
        and s.day >= ${moments.from} and s.day < ${moments.to} and ${isBy(question, MODULES[entity], sql`s.user_id`)}`
  // Uses only its moves, and of the customers only the deleted ones: reading each customer that moved takes ten times as long.
  if (person === null)
    return sql`select null::text as user_id, 1 as value, 1 as records from (${publicMoves({ ...question, moments })}) moved where not exists (
      select 1 from customer x where x.tenant_id = ${tenantId} and x.id = moved.record_id and x.deleted_at is not null)`
  return sql`select ${col('x', person)} as user_id, ${sum === undefined ? sql`1` : col('x', sum)} as value, 1 as records
    from ${sql.table(entity)} x where ${rowsOf(key, { ...question, moments }, 'x')}`
}

/** The module whose data scope applies to the rows of a table. */
const MODULES: Readonly<Record<StatEntity, StatModule>> = {
  customer: 'customer',
  bussiness: 'bussiness',
  follow: 'customer',
  contract: 'contract',
  payment: 'contract',
}

/** Splits a period into whole months, whole days and the rest at both ends. */
function piecesOf(key: StatisticKey, { ctx, span }: StatQuestion): readonly Piece[] {
  const { days } = RULES[key]
  if (days?.of === 'calendar') {
    const { from, to } = calendarDaysOf(span)
    return monthsAndDays(Date.parse(from), Date.parse(to))
  }
  const { from, to } = instantsOf(span, ctx.zone)
  const first = Math.ceil(from.getTime() / DAY_MS) * DAY_MS
  const end = Math.floor(to.getTime() / DAY_MS) * DAY_MS
  if (days === undefined || first >= end) return rowsBetween(from.getTime(), to.getTime())
  return [
    ...rowsBetween(from.getTime(), first),
    ...monthsAndDays(first, end),
    ...rowsBetween(end, to.getTime()),
  ]
}

const DAY_MS = 86_400_000

function rowsBetween(from: number, to: number): readonly Piece[] {
  return from < to
    ? [{ level: 'row', from: new Date(from).toISOString(), to: new Date(to).toISOString() }]
    : []
}

function monthsAndDays(from: WallTime, to: WallTime): readonly Piece[] {
  const sums = (level: Level, start: number, end: number): readonly Piece[] =>
    start < end ? [{ level, from: dayText(start), to: dayText(end) }] : []
  const first = monthStart(from, from === monthStart(from, 0) ? 0 : 1)
  const end = monthStart(to, 0)
  if (first >= end) return sums('day', from, to)
  return [...sums('day', from, first), ...sums('month', first, end), ...sums('day', end, to)]
}

function monthStart(day: WallTime, later: number): WallTime {
  const date = new Date(day)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)
}

/** The table a statistic counts, the column it sums (without one it counts rows) and the column with the person. */
export function statTable(key: StatisticKey): Pick<StatRule, 'entity' | 'sum' | 'person'> {
  return RULES[key]
}

/** The rows behind a statistic, for the list that a tap on the tile opens. */
export function statCondition(
  ctx: CallContext,
  stat: StatFilter,
  entity: StatEntity,
  row: string,
): Condition {
  const key = STATISTIC_KEYS.find((it) => it === stat.key)
  if (key === undefined || RULES[key].entity !== entity) bad(`no statistic ${stat.key} of ${entity}`)
  const scope = readScope(stat.scope, ctx.caller)
  return rowsOf(key, { ctx, scope, span: readSpans(stat, ctx).current }, row)
}

/** The rows of `row` that a statistic counts: the single rule for the tile and for everything that explains it. */
export function rowsOf(key: StatisticKey, question: StatQuestion, row: string): Condition {
  return sql<boolean>`(${col(row, 'tenant_id')} = ${question.ctx.caller.tenantId}
    and ${col(row, 'deleted_at')} is null and ${RULES[key].where(question, row)})`
}

/** True if a column contains one of the requested people. */
export function isBy(question: StatQuestion, module: StatModule, column: RawBuilder<unknown>): Condition {
  const { ctx, scope, people } = question
  if (scope.kind === 'anyone') return sql<boolean>`${column} is not null`
  if (scope.kind === 'mine') return sql<boolean>`${column} = ${ctx.caller.userId}`
  // Owners and authors are members (foreign keys), so all members means no restriction.
  if (scope.kind === 'team' && scopeOf(ctx.caller, module) === 'all')
    return sql<boolean>`${column} is not null`
  if (people !== undefined) return sql<boolean>`${column} = any(${[...people[module]]}::text[])`
  return sql<boolean>`${column} = any(array(${peopleOf(question, module)}))`
}

/** The request with the people of its scope looked up, once for all statistics. */
export async function namePeople(question: StatQuestion): Promise<StatQuestion> {
  const { kind } = question.scope
  if (kind === 'mine' || kind === 'anyone') return question
  const lists = STAT_MODULES.map((module) => sql`array(${peopleOf(question, module)}) as ${sql.ref(module)}`)
  const { rows } = await sql<Record<StatModule, string[]>>`select ${sql.join(lists)}`.execute(
    question.ctx.trx,
  )
  return rows[0] === undefined ? question : { ...question, people: rows[0] }
}

/** Departments and people count only inside the caller's own data scope. */
function peopleOf(
  { ctx: { caller }, scope }: StatQuestion,
  module: StatModule,
): RawBuilder<{ user_id: string }> {
  const inScope = membersInScope(caller, module)
  if (scope.kind === 'team') return inScope
  const wanted =
    scope.kind === 'user'
      ? sql`m.user_id = ${scope.id}`
      : scope.kind === 'dept'
        ? sql`m.dept_id in (select d.id from department d join department top on top.tenant_id = d.tenant_id
            and starts_with(d.path, top.path) where top.tenant_id = ${caller.tenantId} and top.id = ${scope.id})`
        : sql`m.user_id = ${caller.userId}`
  return sql`select m.user_id from membership m where m.tenant_id = ${caller.tenantId} and ${wanted}
    and m.user_id in (${inScope})`
}

/** Customers that were moved to a pool, or created in one, as a query of their ids (`record_id`). */
function publicMoves(question: StatQuestion): RawBuilder<unknown> {
  return sql`select distinct r.record_id from owner_record r where ${isPublicMove(question)}`
}

/** When a customer last came into a pool, of the times that the statistic counts. @param customerId  a column */
export function lastPublicMove(question: StatQuestion, customerId: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`(select max(r.at) from owner_record r where ${isPublicMove(question)} and r.record_id = ${customerId})`
}

/** True if a row `r` of the owners' history brought a customer into a pool. */
function isPublicMove(question: StatQuestion): Condition {
  return sql<boolean>`(r.tenant_id = ${question.ctx.caller.tenantId}
    and r.entity = 'customer' and ${during(question, sql`r.at`)}
    and ((r.kind in ('release', 'recycle') and ${isBy(question, 'customer', sql`r.from_user`)})
      or (r.kind in ('create', 'import') and r.to_user is null and r.to_pool = any(array(${poolsIn(question)})))))`
}

/** Pools that contain any of the requested people. */
function poolsIn(question: StatQuestion): RawBuilder<{ id: string }> {
  const { caller } = question.ctx
  if (question.scope.kind === 'mine') return poolsOf(caller, 'customer')
  return sql`select p.id from pool p where p.tenant_id = ${caller.tenantId} and p.entity = 'customer'
    and (p.member_all or exists (select 1 from membership m where m.tenant_id = ${caller.tenantId}
      and m.user_id in (${peopleOf(question, 'customer')})
      and (m.user_id = any(p.member_user_ids) or m.user_id = any(p.admin_user_ids) or m.dept_id = any(p.member_dept_ids))))`
}

/** True if a time is in the requested period. */
export function during({ ctx, span, moments }: StatQuestion, column: RawBuilder<unknown>): Condition {
  const { from, to } = moments ?? instantsOf(span, ctx.zone)
  return sql<boolean>`(${column} >= ${from} and ${column} < ${to})`
}

function onDays({ span }: StatQuestion, column: RawBuilder<unknown>): Condition {
  const { from, to } = calendarDaysOf(span)
  return sql<boolean>`(${column} >= ${from}::date and ${column} < ${to}::date)`
}

function col(row: string, name: string): RawBuilder<unknown> {
  return sql.ref(`${row}.${name}`)
}
