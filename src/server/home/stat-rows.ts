import { type RawBuilder, sql } from 'kysely'
import { STATISTIC_KEYS, type StatisticKey } from '../../contract/home.ts'
import type { StatFilter } from '../../contract/list.ts'
import { bad } from '../lists/list-request.ts'
import type { Asking } from '../records/asking.ts'
import { membersInScope, type OwnedEntity, poolsOf } from '../visibility/predicate.ts'
import { calendarDaysOf, instantsOf, type WallSpan } from './period.ts'
import { readScope, readSpans, type StatScope } from './stat-question.ts'

type Condition = RawBuilder<boolean>
/** Tables whose rows are counted. */
export type StatEntity = 'customer' | 'bussiness' | 'follow' | 'contract' | 'payment'

/** Which rows a number counts, of which table, and what it adds up. */
interface StatRule {
  readonly entity: StatEntity
  readonly sum?: 'stat_amount' | 'amount'
  readonly where: (question: StatQuestion, row: string) => Condition
}

/** One number asked for: of whom, and when. */
export interface StatQuestion {
  readonly asking: Asking
  readonly scope: StatScope
  readonly span: WallSpan
}

const contracts = (question: StatQuestion, row: string) => sql<boolean>`(${col(row, 'approval_status')} = 2
  and ${onDays(question, col(row, 'sign_date'))} and ${isBy(question, 'contract', col(row, 'owner_id'))})`
const payments = (question: StatQuestion, row: string) => sql<boolean>`(${col(row, 'approval_status')} = 2
  and ${onDays(question, col(row, 'paid_at'))} and ${isBy(question, 'contract', col(row, 'owner_id'))})`

/** The definitions of CRM 3, one row each; the tile counts and the list shows by the same rule. */
const RULES: Readonly<Record<StatisticKey, StatRule>> = {
  new_customer: {
    entity: 'customer',
    where: (question, row) => sql<boolean>`(${during(question, col(row, 'created_at'))} and exists (
      select 1 from owner_record r where r.tenant_id = ${question.asking.caller.tenantId}
        and r.entity = 'customer' and r.record_id = ${col(row, 'id')} and r.kind in ('create', 'import', 'convert')
        and ${isBy(question, 'customer', sql`r.to_user`)}))`,
  },
  new_public_customer: {
    entity: 'customer',
    where: (question, row) => sql<boolean>`${col(row, 'id')} = any(array(
      select distinct r.record_id from owner_record r where r.tenant_id = ${question.asking.caller.tenantId}
        and r.entity = 'customer' and ${during(question, sql`r.at`)}
        and ((r.kind in ('release', 'recycle') and ${isBy(question, 'customer', sql`r.from_user`)})
          or (r.kind in ('create', 'import') and r.to_user is null and r.to_pool = any(array(${poolsIn(question)}))))))`,
  },
  new_bussiness: {
    entity: 'bussiness',
    where: (question, row) => sql<boolean>`(${during(question, col(row, 'created_at'))}
      and ${isBy(question, 'bussiness', col(row, 'owner_id'))})`,
  },
  new_customer_follow: {
    entity: 'follow',
    where: (question, row) => sql<boolean>`(${during(question, col(row, 'followed_at'))}
      and ${col(row, 'source')} <> 'system' and ${isBy(question, 'customer', col(row, 'author_id'))})`,
  },
  new_contract: { entity: 'contract', where: contracts },
  new_contract_total: { entity: 'contract', where: contracts, sum: 'stat_amount' },
  new_amount: {
    entity: 'payment',
    where: (question, row) =>
      sql<boolean>`(${payments(question, row)} and ${col(row, 'reverses_id')} is null)`,
  },
  new_amount_total: { entity: 'payment', where: payments, sum: 'amount' },
}

/** The number itself, as a scalar subquery. @param narrower further limits its rows, which it calls `x` */
export function statNumber(
  key: StatisticKey,
  question: StatQuestion,
  narrower: Condition = sql<boolean>`true`,
): RawBuilder<number> {
  const { entity, sum } = RULES[key]
  const what = sum === undefined ? sql`count(*)` : sql`coalesce(sum(${col('x', sum)}), 0)`
  return sql<number>`(select ${what} from ${sql.table(entity)} x where ${rowsOf(key, question, 'x')} and ${narrower})`
}

/** The table a number counts, and the column it adds up; without one it counts rows. */
export function statTable(key: StatisticKey): Pick<StatRule, 'entity' | 'sum'> {
  const { entity, sum } = RULES[key]
  return sum === undefined ? { entity } : { entity, sum }
}

/** The rows behind a number, for the list that a tap on the tile opens. */
export function statCondition(asking: Asking, stat: StatFilter, entity: StatEntity, row: string): Condition {
  const key = STATISTIC_KEYS.find((it) => it === stat.key)
  if (key === undefined || RULES[key].entity !== entity) bad(`no statistic ${stat.key} of ${entity}`)
  const scope = readScope(stat.scope, asking.caller)
  return rowsOf(key, { asking, scope, span: readSpans(stat, asking).current }, row)
}

/** The rows of `row` that a number counts: the one rule for the tile and for whatever explains it. */
export function rowsOf(key: StatisticKey, question: StatQuestion, row: string): Condition {
  return sql<boolean>`(${col(row, 'tenant_id')} = ${question.asking.caller.tenantId}
    and ${col(row, 'deleted_at')} is null and ${RULES[key].where(question, row)})`
}

/** True where a column names one of the people asked about. */
export function isBy(question: StatQuestion, module: OwnedEntity, column: RawBuilder<unknown>): Condition {
  const { asking, scope } = question
  if (scope.kind === 'anyone') return sql<boolean>`${column} is not null`
  if (scope.kind === 'mine') return sql<boolean>`${column} = ${asking.caller.userId}`
  return sql<boolean>`${column} = any(array(${peopleOf(question, module)}))`
}

/** Departments and persons count inside the caller's own data scope only. */
function peopleOf(
  { asking: { caller }, scope }: StatQuestion,
  module: OwnedEntity,
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

/** Pools that any of the people asked about belongs to. */
function poolsIn(question: StatQuestion): RawBuilder<{ id: string }> {
  const { caller } = question.asking
  if (question.scope.kind === 'mine') return poolsOf(caller, 'customer')
  return sql`select p.id from pool p where p.tenant_id = ${caller.tenantId} and p.entity = 'customer'
    and (p.member_all or exists (select 1 from membership m where m.tenant_id = ${caller.tenantId}
      and m.user_id in (${peopleOf(question, 'customer')})
      and (m.user_id = any(p.member_user_ids) or m.user_id = any(p.admin_user_ids) or m.dept_id = any(p.member_dept_ids))))`
}

function during({ asking, span }: StatQuestion, column: RawBuilder<unknown>): Condition {
  const { from, to } = instantsOf(span, asking.zone)
  return sql<boolean>`(${column} >= ${from} and ${column} < ${to})`
}

function onDays({ span }: StatQuestion, column: RawBuilder<unknown>): Condition {
  const { from, to } = calendarDaysOf(span)
  return sql<boolean>`(${column} >= ${from}::date and ${column} < ${to}::date)`
}

function col(row: string, name: string): RawBuilder<unknown> {
  return sql.ref(`${row}.${name}`)
}
