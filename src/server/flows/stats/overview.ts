import { sql } from 'kysely'
import type {
  HomeOverview,
  RankRow,
  Statistic,
  StatisticKey,
  TargetProgress,
} from '../../../contract/home.ts'
import { STATISTIC_KEYS } from '../../../contract/home.ts'
import type { StatFilter } from '../../../contract/list.ts'
import type { StatRankRow } from '../../../contract/stats.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isForgotten, ownedTabs } from '../../kernel/lists/owned-list.ts'
import { readScope, readSpans } from '../../kernel/lists/stat-question.ts'
import { isBy, namePeople, type StatQuestion, statNumbers } from '../../kernel/lists/stat-rows.ts'
import { spansOf } from '../../kernel/time/period.ts'
import { dateTimeText, dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { isOwn, isVisibleOwned } from '../../kernel/visibility/predicate.ts'
import { withReach } from '../../kernel/visibility/reach.ts'
import { isEnding } from '../../modules/contracts/list-spec.ts'
import { isDueForMe } from '../../modules/plans/plan.ts'
import { countTodos } from '../../modules/todos/count.ts'
import { todosOfToday } from '../../modules/todos/today.ts'
import { stageSteps } from './funnel.ts'
import type { HomeCache } from './home-cache.ts'
import { countedModules, ownNumbers } from './own-numbers.ts'
import { rankOf } from './rank.ts'
import { countPerSpan, lastMonths } from './trend.ts'

/** Everything the home page shows, in one call (DOMAIN 3, 8.6). */
export async function homeOverview(
  wanted: Pick<StatFilter, 'period' | 'scope' | 'from' | 'to'>,
  ctx: CallContext,
  cache: HomeCache,
): Promise<HomeOverview> {
  const scope = readScope(wanted.scope, ctx.caller)
  const ofTeam = scope.kind === 'team'
  const { current, previous } = readSpans(wanted, ctx)
  const months = lastMonths(wallTimeOf(ctx.now, ctx.zone), TREND_MONTHS)
  const tiles = countedModules(ctx).map((module) => [module.name, ctx.model.versions.get(module.name)])
  const cacheKey = JSON.stringify([scope, current, wanted.period, tiles])
  const numbers = await cache.numbers(cacheKey, ctx, async () => {
    const question = await namePeople({ ctx, scope, span: current })
    return {
      statistics: await statistics(question, { ...question, span: previous }),
      own: await ownNumbers(question, previous),
      target: await targets(question),
      funnel: await funnel(question),
      rank: await rank(question),
      trend: {
        months: months.map((month) => dayText(month.start).slice(0, 7)),
        customer: await countPerSpan('new_customer', months, question),
        follow: await countPerSpan('new_customer_follow', months, question),
        contract: await countPerSpan('new_contract_total', months, question),
        payment: await countPerSpan('new_amount_total', months, question),
      },
    }
  })
  const reached = await withReach(ctx)
  return {
    ...numbers,
    todo: await todoCounts(reached, ofTeam),
    forgotten: await forgotten(reached, ofTeam),
    notices: await notices(ctx),
    serverTime: dateTimeText(ctx.now, ctx.zone),
  }
}

/** The eight numbers, each `[0, current, previous or null]`. */
export async function statistics(
  current: StatQuestion,
  previous: StatQuestion,
): Promise<Readonly<Record<StatisticKey, Statistic>>> {
  const parts = STATISTIC_KEYS.map(
    (key) =>
      sql`select ${key}::text as key, it.* from (${statNumbers(key, current, [current.span, previous.span])}) it`,
  )
  const { rows } = await sql<{
    key: StatisticKey
    i: number
    value: number | null
  }>`${sql.join(parts, sql` union all `)}`.execute(current.ctx.trx)
  const found = new Map(rows.map(({ key, i, value }) => [`${key}${i}`, value]))
  const entries = STATISTIC_KEYS.map((key): [StatisticKey, Statistic] => [
    key,
    [0, found.get(`${key}0`) ?? (found.has(`${key}0`) ? null : 0), found.get(`${key}1`) || null],
  ])
  return Object.fromEntries(entries) as Record<StatisticKey, Statistic>
}

const DAY_MS = 86_400_000
/** Lines of today's plan. */
const MAX_PLAN = 3
/** The tabs of customers that the home page counts. */
const TABS = ownedTabs('customer', 'c')
const TREND_MONTHS = 6
/** How long an announcement stays on the home page unless it is pinned, and the maximum number. */
const NOTICE_DAYS = 7
const MAX_NOTICES = 3
/** Today's open work; each number counts the rows of the list it opens, by that list's own rule (DOMAIN 3). */
async function todoCounts(ctx: CallContext, ofTeam: boolean): Promise<HomeOverview['todo']> {
  const { trx, caller } = ctx
  const { total, byType, bySection } = await countTodos(ctx)
  const customers = (tab: keyof typeof TABS) => sql`(select count(*) from customer c
    where ${isCounted(ctx, ofTeam)} and ${TABS[tab].where(ctx)})`
  const { rows } = await sql<Omit<HomeOverview['todo'], 'open' | 'approvals' | 'due_today' | 'plan'>>`select
    ${customers(ofTeam ? 'team_overdue' : 'overdue')} as overdue,
    ${customers(ofTeam ? 'team_today' : 'today')} as today, ${customers('recycling')} as recycling,
    (select count(*) from payment_plan p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
      where p.tenant_id = ${caller.tenantId} and p.deleted_at is null and k.deleted_at is null
        and ${isDueForMe(ctx)}) as payments_due,
    (select count(*) from contract k where k.tenant_id = ${caller.tenantId} and k.owner_id = ${caller.userId}
      and k.deleted_at is null and ${isEnding(ctx)}) as contracts_ending`.execute(trx)
  const counted = rows[0] ?? { overdue: 0, today: 0, recycling: 0, payments_due: 0, contracts_ending: 0 }
  const plan = (await todosOfToday(ctx, MAX_PLAN)).list.map(
    ({ id, title, amount, due_at, all_day, overdue, url }) => ({
      id,
      title,
      amount,
      due_at,
      all_day,
      overdue,
      url: url || '/pages/work/todo/index',
    }),
  )
  return { ...counted, approvals: byType.approval, open: total, due_today: bySection.today, plan }
}

/** The customers that the home page counts, before a tab restricts them: all visible ones, or only the user's own. */
function isCounted(ctx: CallContext, ofTeam: boolean) {
  return ofTeam ? isVisibleOwned(ctx.caller, 'customer', 'c') : isOwn(ctx.caller, 'c')
}

/** Target and result of this month: 业绩目标 (DOMAIN 3). */
async function targets(question: StatQuestion): Promise<HomeOverview['target']> {
  const { ctx } = question
  const month = spansOf('this_month', wallTimeOf(ctx.now, ctx.zone)).current
  const target = (
    column: 'contract_amount' | 'payment_amount',
  ) => sql<number>`(select coalesce(sum(${sql.ref(column)}), 0)
    from sales_target where tenant_id = ${ctx.caller.tenantId} and object_type = 'user'
      and month = ${dayText(month.start)}::date and ${isBy(question, 'contract', sql`object_id`)})`
  const { rows } = await sql<{ contract: number; payment: number }>`
    select ${target('contract_amount')} as contract, ${target('payment_amount')} as payment`.execute(ctx.trx)
  const { contract = 0, payment = 0 } = rows[0] ?? {}
  const [signed = null] = await countPerSpan('new_contract_total', [month], question)
  const [paid = null] = await countPerSpan('new_amount_total', [month], question)
  return { contract: progress(contract, signed), payment: progress(payment, paid) }
}

function progress(target: number, done: number | null): TargetProgress {
  return {
    target,
    done,
    rate: target === 0 || done === null ? null : Math.round((done / target) * 1000) / 10,
  }
}

/** Customers without a follow-up for 7, 15, 30, 90 days: counted like the tabs of the customer list (DOMAIN 3). */
async function forgotten(ctx: CallContext, ofTeam: boolean): Promise<HomeOverview['forgotten']> {
  const since = (days: number) =>
    sql`count(*) filter (where ${isForgotten(ctx, 'c', days)}) as ${sql.ref(String(days))}`
  const { rows } = await sql<
    HomeOverview['forgotten']
  >`select ${sql.join([7, 15, 30, 90].map(since))} from customer c
    where ${isCounted(ctx, ofTeam)} and ${isForgotten(ctx, 'c', 7)}`.execute(ctx.trx)
  return rows[0] ?? { 7: 0, 15: 0, 30: 0, 90: 0 }
}

async function funnel(question: StatQuestion): Promise<HomeOverview['funnel']> {
  const steps = await stageSteps(question, null)
  return steps.map(({ key, count, amount, weighted }) => ({ stage: key, count, amount, weighted }))
}

/** The top three by contract amount among colleagues of the caller's data scope, at least the department; equal values share a rank. */
async function rank(question: StatQuestion): Promise<HomeOverview['rank']> {
  if (!question.ctx.caller.permissions.has('stats:rank')) return { top3: [], mine: null }
  const { rows, own } = await rankOf('contract_amount', 'user', question)
  const draw = ({ place, id, name, value }: StatRankRow): RankRow => ({
    place,
    user_id: id,
    name,
    amount: value,
  })
  return { top3: rows.slice(0, 3).map(draw), mine: own === null ? null : draw(own) }
}

/** Current announcements for the caller: pinned ones, or those of the last days. */
async function notices({ trx, caller, now, zone }: CallContext): Promise<HomeOverview['notices']> {
  const since = new Date(now.getTime() - NOTICE_DAYS * DAY_MS)
  const { rows } = await sql<{ id: string; title: string; content: string; published_at: Date }>`
    select n.id, n.title, n.content, n.published_at from notice n
    where n.tenant_id = ${caller.tenantId} and n.status = 'published' and n.deleted_at is null
      and (n.published_at >= ${since} or n.pinned_until >= ${now})
      and (cardinality(n.dept_ids) = 0 or exists (select 1 from department d where d.tenant_id = n.tenant_id
        and d.id = any(n.dept_ids) and starts_with(${caller.deptPath ?? ''}, d.path)))
    order by n.published_at desc limit ${MAX_NOTICES}`.execute(trx)
  return rows.map((row) => ({ ...row, published_at: dateTimeText(row.published_at, zone) }))
}
