import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { StatisticKey } from '../../../contract/home.ts'
import { RANK_METRICS, type RankMetric, type StatRank, type StatRankRow } from '../../../contract/stats.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { requires } from '../../kernel/auth/caller.ts'
import { isBy, rowsOf, type StatQuestion, statByPerson } from '../../kernel/lists/stat-rows.ts'
import { instantsOf } from '../../kernel/time/period.ts'
import { readQuestion, readWord } from './question.ts'

const ROWS_MOST = 50
/** Closed opportunities somebody needs for a win rate (DOMAIN 3). */
const CLOSED_LEAST = 5

/** POST /mini/stats/rank. @param body `metric`, `by` user or dept, and a period */
export async function statRank(body: JsonObject, asking: Asking): Promise<StatRank> {
  requires(asking.caller, 'stats:rank')
  const metric = readWord(body.metric ?? 'contract_amount', RANK_METRICS, 'metric')
  const by = readWord(body.by ?? 'user', ['user', 'dept'], 'by')
  const { scope: _, ...rest } = body
  const { question } = await readQuestion(rest, asking)
  return rankOf(metric, by, question)
}

/** Everybody of the caller's data scope — at least their department — by a metric; equals share a place. */
export async function rankOf(
  metric: RankMetric,
  by: 'user' | 'dept',
  question: StatQuestion,
): Promise<StatRank> {
  const { asking } = question
  const { caller, trx } = asking
  const colleagues = caller.permissions.has('stats:team')
    ? isBy({ ...question, scope: { kind: 'team' } }, 'contract', sql`m.user_id`)
    : sql<boolean>`m.dept_id = ${caller.deptId}`
  const own = by === 'user' ? caller.userId : (caller.deptId ?? '')
  const [id, name, avatar] =
    by === 'user' ? [sql`m.user_id`, sql`m.name`, sql`m.avatar`] : [sql`d.id`, sql`d.name`, sql`''::text`]
  const value =
    metric === 'win_rate'
      ? sql`case when coalesce(sum(g.of_all), 0) >= ${CLOSED_LEAST} then round(100.0 * sum(g.n) / sum(g.of_all), 1) end`
      : sql`coalesce(sum(g.n), 0)`
  const { rows } = await sql<StatRankRow>`
    select rank() over (order by value desc)::int as place, id, name, avatar, value, id = ${own} as mine from (
      select ${id} as id, ${name} as name, ${avatar} as avatar, ${value} as value
      from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
      left join (${peopleBy(metric, { ...question, scope: { kind: 'anyone' } })}) g on g.user_id = m.user_id
      where m.tenant_id = ${caller.tenantId} and m.status <> 'left' and m.deleted_at is null and ${colleagues}
        and ${id} is not null
      group by 1, 2, 3) ranked
    where value is not null order by place, id`.execute(trx)
  return {
    metric,
    rows: rows.filter((row) => row.value > 0).slice(0, ROWS_MOST),
    own: rows.find((row) => row.mine) ?? null,
  }
}

const OF_KEY: Partial<Readonly<Record<RankMetric, StatisticKey>>> = {
  contract_amount: 'new_contract_total',
  payment_amount: 'new_amount_total',
  contract_count: 'new_contract',
  new_customer: 'new_customer',
  follow_count: 'new_customer_follow',
}

/** Rows `user_id, n, of_all` of a metric. */
function peopleBy(metric: RankMetric, question: StatQuestion): RawBuilder<unknown> {
  const { tenantId } = question.asking.caller
  if (metric === 'win_rate') {
    const { from, to } = instantsOf(question.span, question.asking.zone)
    return sql`select owner_id as user_id, count(*) filter (where status = 2) as n, count(*) as of_all from bussiness
      where tenant_id = ${tenantId} and status in (2, 3) and deleted_at is null and closed_at >= ${from} and closed_at < ${to}
      group by 1`
  }
  if (metric === 'call_count') {
    const { from, to } = instantsOf(question.span, question.asking.zone)
    return sql`select user_id, count(*) as n, 0 as of_all from phone_call
      where tenant_id = ${tenantId} and started_at >= ${from} and started_at < ${to} group by 1`
  }
  const key = OF_KEY[metric]
  if (key !== undefined)
    return sql`select p.user_id, p.n, 0 as of_all from (${statByPerson(key, question)}) p`
  const what = metric === 'followed_customers' ? sql`count(distinct x.customer_id)` : sql`count(*)`
  const visits = metric === 'visit_count' ? sql`and x.method = 'visit'` : sql``
  return sql`select x.author_id as user_id, ${what} as n, 0 as of_all from follow x
    where ${rowsOf('new_customer_follow', question, 'x')} ${visits} group by 1`
}
