import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { STATISTIC_KEYS, type StatisticKey } from '../../../contract/home.ts'
import type { ReportFacts, StatReport } from '../../../contract/stats.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readScope, readSpans } from '../../kernel/lists/stat-question.ts'
import { namePeople } from '../../kernel/lists/stat-rows.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, instantOf } from '../../kernel/time/zone.ts'
import { callsOf } from '../../modules/follows/calls.ts'
import { isFollowSeen } from '../../modules/follows/list-spec.ts'
import { isFollowInPool, seenContent } from '../../modules/follows/seen-content.ts'
import { statistics } from './overview.ts'
import { findPerson } from './person.ts'

const MAX_LINES = 10
const DAY_MS = 86_400_000
const PERIODS = {
  week: 'this_week',
  last_week: 'last_week',
  month: 'this_month',
  last_month: 'last_month',
} as const
const MONEY: readonly StatisticKey[] = ['new_contract_total', 'new_amount_total']

/** GET /mini/stats/report: the numbers and the latest follow-ups of a week or month, as a text to copy (DOMAIN 7.3). */
export async function statReport(query: JsonObject, ctx: CallContext): Promise<StatReport> {
  const name = typeof query.period === 'string' && query.period !== '' ? query.period : 'week'
  if (!Object.hasOwn(PERIODS, name)) refuse(400, 'VALIDATION', text('home.period'), { detail: 'period' })
  const { current, previous } = readSpans({ period: PERIODS[name as keyof typeof PERIODS] }, ctx)
  const userId = typeof query.userId === 'string' && query.userId !== '' ? query.userId : null
  const scope = readScope(userId === null ? 'mine' : `user:${userId}`, ctx.caller)
  const person = await findPerson(userId ?? ctx.caller.userId, 'customer', ctx)
  const question = await namePeople({ ctx, scope, span: current })
  const numbers = await statistics(question, { ...question, span: previous })
  const from = dayText(current.start)
  const to = dayText(current.end - DAY_MS)
  const title = text('stats.report.title', { name: person.name, from, to })
  const tiles = STATISTIC_KEYS.map((key): ReportFacts['numbers'][number] => ({
    name: key,
    label: text(`stats.key.${key}`),
    value: [0, numbers[key][1], numbers[key][2] ?? 0],
    compare: true,
    filter: MONEY.includes(key) ? 'money' : '',
  }))
  const lines = tiles.map(({ label, filter, value: [, now, before] }) =>
    text('stats.report.count', { label, now: written(now, filter), before: written(before, filter) }),
  )
  const span = [instantOf(current.start, ctx.zone), instantOf(current.end, ctx.zone)] as const
  const { calls, logged } = await callsOf(person.id, span, ctx)
  const ofCalls = calls === 0 ? [] : [text('stats.report.calls', { calls, logged })]
  const follows = await followsOf(person.id, current.start, current.end, ctx)
  const followLines = follows.map(({ name, content }) => text('stats.report.follow', { name, content }))
  return {
    title,
    name: person.name,
    text: [title, ...lines, ...ofCalls, ...followLines].join('\n'),
    from,
    to,
    facts: { numbers: tiles, calls, logged, follows },
  }
}

const written = (value: number | null, filter: string): string =>
  value === null ? text('record.withheld') : filter === 'money' ? moneyText(value) : String(value)

/** A person's follow-ups on records that the caller sees as well. */
async function followsOf(
  userId: string,
  start: number,
  end: number,
  ctx: CallContext,
): Promise<ReportFacts['follows']> {
  const { trx, zone, caller } = ctx
  const { rows } = await sql<{
    id: string
    name: string | null
    content: string
    in_pool: boolean
  }>`select f.id, coalesce(c.name, (select o.title from record o
      where o.tenant_id = f.tenant_id and o.module = f.record_module and o.id = f.record_id)) as name, f.content, ${isFollowInPool('f')} as in_pool from follow f
    left join customer c on c.tenant_id = f.tenant_id and c.id = f.customer_id
    where ${isFollowSeen(ctx, 'f', 'of a page')} and f.author_id = ${userId} and f.source <> 'system'
      and f.followed_at >= ${instantOf(start, zone)} and f.followed_at < ${instantOf(end, zone)}
    order by f.followed_at desc, f.id desc limit ${MAX_LINES}`.execute(trx)
  return rows.map(({ id, name, content, in_pool }) => ({
    id,
    name: name ?? '',
    content: seenContent(content, { in_pool }, caller).slice(0, 60),
  }))
}
