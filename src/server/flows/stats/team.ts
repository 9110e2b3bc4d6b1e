import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { StatisticKey } from '../../../contract/home.ts'
import {
  type PaymentForecast,
  TEAM_NUMBERS,
  type TeamNumber,
  type TeamRow,
  type TeamTotal,
} from '../../../contract/stats.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { sumYuan } from '../../kernel/fields/money.ts'
import { knownSum } from '../../kernel/lists/known-sum.ts'
import { isForgotten, ownedTabs } from '../../kernel/lists/owned-list.ts'
import { knownStat, rowsOf, type StatQuestion, statByPerson } from '../../kernel/lists/stat-rows.ts'
import { announce } from '../../kernel/notices/announce.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { spansOf } from '../../kernel/time/period.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { isVisibleOwned, membersInScope } from '../../kernel/visibility/predicate.ts'
import { awaitedMonth, isAwaited } from './figure-rows.ts'
import { findPerson } from './person.ts'
import { readQuestion, readWord } from './question.ts'

/** Maximum people of one answer: leaders of more use departments. */
const MAX_PEOPLE = 200
/** Days without a follow-up from which a customer counts as neglected; the tab of the customer list uses the same number. */
const NEGLECTED_DAYS = 30
const MAX_WORDS = 200

/** Numbers of the period, each by the rule of its tile. */
const OF_PERIOD = {
  follows: 'new_customer_follow',
  customers: 'new_customer',
  bussiness: 'new_bussiness',
  contract: 'new_contract_total',
  payment: 'new_amount_total',
} as const satisfies Partial<Readonly<Record<TeamNumber, StatisticKey>>>

/**
 * POST /mini/stats/team: the people the caller is responsible for, with their activity in the period, their open work, neglected
 * customers and progress towards this month's target. Each number is the length, or the sum, of the list it opens.
 *
 * @param body  a period; `deptId`; `userId` for one person; `sort` by a number, largest first
 */
export async function statTeam(
  body: JsonObject,
  ctx: CallContext,
): Promise<{ readonly list: readonly TeamRow[]; readonly total: TeamTotal }> {
  const { caller, trx, now, zone } = ctx
  if (!caller.permissions.has('stats:money')) requires(caller, 'stats:team')
  const { scope: _, ...period } = body
  const sort = readWord(body.sort ?? 'contract', TEAM_NUMBERS, 'sort')
  const { question } = await readQuestion(period, ctx)
  const anyone: StatQuestion = { ...question, scope: { kind: 'anyone' } }
  const ofPeriod = Object.entries(OF_PERIOD).map(
    ([name, key]) =>
      sql`left join (${statByPerson(key, anyone)}) ${sql.ref(name)} on ${sql.ref(`${name}.user_id`)} = m.user_id`,
  )
  const month = dayText(spansOf('this_month', wallTimeOf(now, zone)).current.start)
  const n = (name: string) => sql`coalesce(${sql.ref(name)}, 0)`
  const money = (key: StatisticKey, name: string) =>
    knownStat(key, { value: n(`${name}.n`), records: n(`${name}.records`) }, ctx)
  const pipeline = knownSum(['bussiness', 'amount'], { sum: n('open.amount'), records: n('open.n') }, ctx)
  const { rows } = await sql<Omit<TeamRow, 'rate'>>`
    select m.user_id as id, m.name, m.avatar, coalesce(d.name, '') as dept,
      ${n('follows.n')} as follows, ${n('visits.n')} as visits, ${n('customers.n')} as customers, ${n('bussiness.n')} as bussiness,
      ${money('new_contract_total', 'contract')} as contract, ${money('new_amount_total', 'payment')} as payment, ${n('open.n')} as open,
      ${pipeline} as pipeline,
      ${n('held.n')} as held, ${n('held.neglected')} as neglected, ${n('held.overdue')} as overdue,
      ${n('target.amount')} as target, ${money('new_contract_total', 'done')} as done
    from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    ${sql.join(ofPeriod, sql` `)}
    left join (${visits(anyone)}) visits on visits.user_id = m.user_id
    left join (${openDeals(ctx)}) open on open.user_id = m.user_id
    left join (${heldCustomers(ctx)}) held on held.user_id = m.user_id
    left join (${statByPerson('new_contract_total', { ...anyone, span: spansOf('this_month', wallTimeOf(now, zone)).current })}) done
      on done.user_id = m.user_id
    left join (select object_id as user_id, contract_amount as amount from sales_target where tenant_id = ${caller.tenantId}
      and object_type = 'user' and month = ${month}::date) target on target.user_id = m.user_id
    where m.tenant_id = ${caller.tenantId} and m.status <> 'left' and m.deleted_at is null and ${isWanted(body, ctx)}
    order by ${sql.ref(sort)} desc nulls last, m.py, m.user_id limit ${MAX_PEOPLE}`.execute(trx)
  return { list: rows.map((row) => ({ ...row, rate: rateOf(row.done, row.target) })), total: totalOf(rows) }
}

const SUMMED = [...TEAM_NUMBERS, 'visits', 'open', 'held', 'target', 'done'] as const

/** An amount that is not told of one person is not told of all: 0 for it would be wrong, and its difference to the others is it. */
function totalOf(rows: readonly Omit<TeamRow, 'rate'>[]): TeamTotal {
  const told = (name: (typeof SUMMED)[number]) => rows.flatMap((row) => row[name] ?? [])
  const sums = Object.fromEntries(
    SUMMED.map((name) => [name, told(name).length < rows.length ? null : sumYuan(told(name))]),
  ) as Pick<TeamTotal, (typeof SUMMED)[number]>
  return { ...sums, people: rows.length, rate: rateOf(sums.done, sums.target) }
}

/** The people whose customers the caller sees by scope, restricted to those requested. */
function isWanted({ deptId, userId }: JsonObject, { caller }: CallContext): RawBuilder<boolean> {
  const inDept =
    typeof deptId === 'string' && deptId !== ''
      ? sql<boolean>`exists (select 1 from department top where top.tenant_id = m.tenant_id and top.id = ${deptId}
          and starts_with(d.path, top.path))`
      : sql<boolean>`true`
  const isOne =
    typeof userId === 'string' && userId !== '' ? sql<boolean>`m.user_id = ${userId}` : sql<boolean>`true`
  return sql<boolean>`(m.user_id in (${membersInScope(caller, 'customer')}) and ${inDept} and ${isOne})`
}

function visits(question: StatQuestion): RawBuilder<unknown> {
  return sql`select x.author_id as user_id, count(*) as n from follow x
    where ${rowsOf('new_customer_follow', question, 'x')} and x.method = 'visit' group by 1`
}

/** Currently open opportunities, as in the list's tab 进行中 for a person. */
function openDeals({ caller }: CallContext): RawBuilder<unknown> {
  return sql`select b.owner_id as user_id, count(*) as n, sum(b.amount) as amount from bussiness b
    where ${isVisibleOwned(caller, 'bussiness', 'b')} and b.status = 1 group by 1`
}

/** Current customers, by the rules of the list's own tabs. */
function heldCustomers(ctx: CallContext): RawBuilder<unknown> {
  const { where: isOverdue } = ownedTabs('customer', 'c').team_overdue
  return sql`select c.owner_id as user_id, count(*) as n, count(*) filter (where ${isForgotten(ctx, 'c', NEGLECTED_DAYS)}) as neglected,
      count(*) filter (where ${isOverdue(ctx)}) as overdue
    from customer c where ${isVisibleOwned(ctx.caller, 'customer', 'c')} group by 1`
}

/** In percent, one decimal; null without a target. */
export function rateOf(done: number | null, target: number): number | null {
  return target === 0 || done === null ? null : Math.round((done / target) * 1000) / 10
}

const ABOUT = { neglected: 'unfollowed30', overdue: 'overdue', other: '' } as const

/**
 * POST /mini/stats/remind: a reminder to somebody the caller is responsible for, as a message that opens its subject.
 *
 * @param body  `id` of the person, `about` neglected, overdue or other, `text`
 */
export async function remindPerson(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { caller, trx, now } = ctx
  requires(caller, 'stats:team')
  const about = readWord(body.about ?? 'other', Object.keys(ABOUT) as (keyof typeof ABOUT)[], 'about')
  const words = reasonOf(body, 'text', MAX_WORDS) ?? refuseEmpty()
  const person = await findPerson(idOf(body), 'customer', ctx, false)
  await announce(trx, {
    event: 'team.remind',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [person.id],
    entity: 'todo',
    ids: [],
    params: { by: caller.name, words },
    ...(ABOUT[about] === ''
      ? {}
      : { link: { route: '/pages/customer/my/index', query: { tab: ABOUT[about] } } }),
  })
  return { data: { id: person.id }, recordId: person.id, detail: { about, text: words } }
}

function refuseEmpty(): never {
  const fields = { text: text('stats.remind-empty') }
  refuse(400, 'VALIDATION', fields.text, { fields })
}

/** Expected payments by the month of their plan; late ones come first, under a separate name. */
export async function paymentForecast(body: JsonObject, ctx: CallContext): Promise<PaymentForecast> {
  const { question } = await readQuestion({ ...body, period: 'this_month' }, ctx)
  const open = { sum: sql`sum(p.plan_amount - p.received_amount)`, records: sql`count(*)` }
  const planned = knownSum(['plan', 'plan_amount'], open, ctx)
  const { rows } = await sql<{ key: string; planned: number | null; count: number }>`
    select ${awaitedMonth(question, 'p')} as key, ${planned} as planned, count(*) as count
    from payment_plan p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where ${isAwaited(question, 'p')}
    group by 1 order by min(p.plan_date)`.execute(ctx.trx)
  return {
    months: rows.map((row) => ({ ...row, month: row.key === 'late' ? text('stats.late') : row.key })),
  }
}
