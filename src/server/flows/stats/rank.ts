import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { StatisticKey } from '../../../contract/home.ts'
import { RANK_METRICS, type RankMetric, type StatRank, type StatRankRow } from '../../../contract/stats.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import {
  during,
  isBy,
  knownStat,
  rowsOf,
  type StatQuestion,
  statByPerson,
  statTable,
} from '../../kernel/lists/stat-rows.ts'
import { text } from '../../kernel/text/text.ts'
import { isClosedIn } from './figure-rows.ts'
import { readQuestion, readWord } from './question.ts'
import type { FigurePart } from './row-kinds.ts'

const MAX_ROWS = 50
/** Minimum closed opportunities for a win rate (DOMAIN 3). */
const MIN_CLOSED = 5

/** POST /mini/stats/rank. @param body `metric`, `by` user or dept, and a period */
export async function statRank(body: JsonObject, ctx: CallContext): Promise<StatRank> {
  requires(ctx.caller, 'stats:rank')
  const metric = readWord(body.metric ?? 'contract_amount', RANK_METRICS, 'metric')
  const by = readWord(body.by ?? 'user', ['user', 'dept'], 'by')
  const { scope: _, ...rest } = body
  const { question } = await readQuestion(rest, ctx)
  return rankOf(metric, by, question)
}

/** The people in the caller's data scope — at least their department — by a metric; equal values share a rank. */
export async function rankOf(
  metric: RankMetric,
  by: 'user' | 'dept',
  question: StatQuestion,
): Promise<StatRank> {
  const { ctx } = question
  const { caller, trx } = ctx
  const ownId = by === 'user' ? caller.userId : (caller.deptId ?? '')
  const ofTeam = caller.permissions.has('stats:team')
  const [id, name, avatar] =
    by === 'user' ? [sql`m.user_id`, sql`m.name`, sql`m.avatar`] : [sql`d.id`, sql`d.name`, sql`''::text`]
  const key = OF_KEY[metric]
  const known = (sums: Parameters<typeof knownStat>[1]) =>
    key === undefined ? sums.value : knownStat(key, sums, ctx)
  const value =
    metric === 'win_rate'
      ? sql`case when coalesce(sum(g.of_all), 0) >= ${MIN_CLOSED} then round(100.0 * sum(g.n) / sum(g.of_all), 1) end`
      : known({ value: sql`coalesce(sum(g.n), 0)`, records: sql`coalesce(sum(g.of_all), 0)` })
  const { rows } = await sql<StatRankRow>`
    select rank() over (order by value desc nulls last)::int as place, id, name, avatar, value, id = ${ownId} as mine,
      ${ofTeam} or (${by} = 'user' and id = ${ownId}) as opens from (
      select ${id} as id, ${name} as name, ${avatar} as avatar, ${value} as value
      from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
      left join (${peopleBy(metric, { ...question, scope: { kind: 'anyone' } })}) g on g.user_id = m.user_id
      where ${isRanked(question)} and ${id} is not null
      group by 1, 2, 3) ranked
    where value is not null or ${metric !== 'win_rate'} order by place, id`.execute(trx)
  return {
    metric,
    rows: rows.filter(({ value }) => value !== null && value > 0).slice(0, MAX_ROWS),
    own: rows.find((row) => row.mine) ?? null,
  }
}

/** Colleagues `m` who are compared: those of the caller's data scope, or of their department. */
function isRanked(question: StatQuestion): RawBuilder<boolean> {
  const { caller } = question.ctx
  const isColleague = caller.permissions.has('stats:team')
    ? isBy({ ...question, scope: { kind: 'team' } }, 'contract', sql`m.user_id`)
    : sql<boolean>`m.dept_id = ${caller.deptId}`
  return sql<boolean>`m.tenant_id = ${caller.tenantId} and m.status <> 'left' and m.deleted_at is null and ${isColleague}`
}

/**
 * The rows `x` behind the value of a person or a department in the ranking.
 *
 * @throws Refusal 405 for other people's without the permission to see them
 */
export function rankedRows(
  metric: RankMetric,
  by: 'user' | 'dept',
  id: string,
  question: StatQuestion,
): Omit<FigurePart, 'id'> {
  const { caller } = question.ctx
  requires(caller, 'stats:rank')
  if (by === 'dept' || id !== caller.userId) requires(caller, 'stats:team')
  const anyone: StatQuestion = { ...question, scope: { kind: 'anyone' } }
  const { entity, rows, person, ...rest } = rankedBy(metric, anyone)
  const isOne = by === 'user' ? sql`m.user_id = ${id}` : sql`m.dept_id = ${id}`
  return {
    entity,
    ...rest,
    label: text(`stats.rank.${metric}`),
    where: sql<boolean>`(${rows} and ${person} in (select m.user_id from membership m where ${isRanked(question)} and ${isOne}))`,
  }
}

type Ranked = Pick<FigurePart, 'entity' | 'value' | 'number' | 'unit'> & {
  readonly rows: RawBuilder<boolean>
  readonly person: RawBuilder<unknown>
}

/** The rows that a metric counts, and the person of each. */
function rankedBy(metric: RankMetric, question: StatQuestion): Ranked {
  const key = OF_KEY[metric]
  if (key !== undefined) {
    const { entity, sum, person = 'owner_id' } = statTable(key)
    const value = sql.ref<number>(`x.${sum ?? 'id'}`)
    const money = { value, number: sql<number>`coalesce(sum(${value}), 0)`, unit: 'money' } as const
    return {
      entity,
      rows: rowsOf(key, question, 'x'),
      person: sql.ref(`x.${person}`),
      ...(sum === undefined ? { unit: 'count' } : money),
    }
  }
  if (metric === 'win_rate')
    return {
      entity: 'bussiness',
      rows: isClosedIn(question, 'x'),
      person: sql`x.owner_id`,
      value: sql<number>`x.amount`,
      number: sql<number>`coalesce(round(100.0 * count(*) filter (where x.status = 2) / nullif(count(*), 0), 1), 0)`,
      unit: 'percent',
    }
  if (metric === 'call_count')
    return {
      entity: 'phone_call',
      rows: sql<boolean>`(x.tenant_id = ${question.ctx.caller.tenantId} and ${during(question, sql`x.started_at`)})`,
      person: sql`x.user_id`,
      unit: 'count',
    }
  const follows = rowsOf('new_customer_follow', question, 'x')
  return {
    entity: 'follow',
    rows: metric === 'visit_count' ? sql<boolean>`(${follows} and x.method = 'visit')` : follows,
    person: sql`x.author_id`,
    ...(metric === 'followed_customers' ? { number: sql<number>`count(distinct x.customer_id)` } : {}),
    unit: 'count',
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
  const key = OF_KEY[metric]
  // Stored daily sums are cheaper than reading the rows.
  if (key !== undefined)
    return sql`select p.user_id, p.n, p.records as of_all from (${statByPerson(key, question)}) p`
  const { entity, rows, person } = rankedBy(metric, question)
  const counts: Partial<Record<RankMetric, RawBuilder<number>>> = {
    win_rate: sql`count(*) filter (where x.status = 2)`,
    followed_customers: sql`count(distinct x.customer_id)`,
  }
  return sql`select ${person} as user_id, ${counts[metric] ?? sql`count(*)`} as n, count(*) as of_all
    from ${sql.table(entity)} x where ${rows} group by 1`
}
