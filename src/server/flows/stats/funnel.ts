import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { type FunnelStep, LEAD_STEPS, type StatFunnel } from '../../../contract/stats.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { knownSum } from '../../kernel/lists/known-sum.ts'
import type { StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { text } from '../../kernel/text/text.ts'
import { isClosedIn, isOfCohort, isOpenNow, lastPaid } from './figure-rows.ts'
import { readQuestion, readWord } from './question.ts'

/** POST /mini/stats/funnel. @param body `mode` stage or conversion, `flowId`, and a period with its scope */
export async function statFunnel(body: JsonObject, ctx: CallContext): Promise<StatFunnel> {
  const mode = readWord(body.mode ?? 'stage', ['stage', 'conversion'], 'mode')
  const { question } = await readQuestion(body, ctx)
  const flowId = typeof body.flowId === 'string' && body.flowId !== '' ? body.flowId : null
  const steps = mode === 'stage' ? await stagesWithDays(question, flowId) : await conversionSteps(question)
  return { steps, ...(await closedIn(question, flowId)) }
}

/** Sums over opportunities as the caller may know them. */
function sumsOf(ctx: CallContext) {
  return (
    field: 'amount' | 'weighted',
    records: RawBuilder<unknown>,
    value: RawBuilder<unknown>,
    where: RawBuilder<unknown> = sql`true`,
  ): RawBuilder<number | null> =>
    knownSum(
      ['bussiness', field],
      { sum: sql`coalesce(sum(${value}) filter (where ${where}), 0)`, records },
      ctx,
    )
}

/** Currently open opportunities of the scope by stage (DOMAIN 3 a). */
export async function stageSteps(
  question: StatQuestion,
  flowId: string | null,
): Promise<readonly FunnelStep[]> {
  const { ctx } = question
  const known = sumsOf(ctx)
  const { rows } = await sql<Pick<FunnelStep, 'key' | 'label' | 'count' | 'amount' | 'weighted'>>`
    select d.value as key, d.label, count(b.id) as count, ${known('amount', sql`count(b.id)`, sql`b.amount`)} as amount,
      ${known('weighted', sql`count(b.id)`, sql`b.weighted`)} as weighted
    from dict_item d left join bussiness b on b.stage_id = d.value and ${isOpenNow(question, 'b')}
      and (${flowId}::text is null or b.flow_id = ${flowId})
    where d.tenant_id = ${ctx.caller.tenantId} and d.type_key = 'bussiness_stage'
      and d.value not in ('won', 'lost', 'invalid')
    group by d.value, d.label, d.sort, d.disabled having not d.disabled or count(b.id) > 0 order by d.sort`.execute(
    ctx.trx,
  )
  return rows.map((row) => ({ ...row, rate: null, days: null }))
}

/**
 * The stages with the median number of days that open opportunities have been in each; the home page does not use this, because its index does not
 * contain days.
 */
async function stagesWithDays(question: StatQuestion, flowId: string | null): Promise<readonly FunnelStep[]> {
  const { trx, now } = question.ctx
  const steps = await stageSteps(question, flowId)
  const { rows } = await sql<{ key: string; days: number }>`
    select b.stage_id as key, round((percentile_cont(0.5) within group (order by extract(epoch from
      ${now}::timestamptz - b.stage_since) / 86400))::numeric, 1) as days
    from bussiness b where ${isOpenNow(question, 'b')} and (${flowId}::text is null or b.flow_id = ${flowId})
    group by b.stage_id`.execute(trx)
  const days = new Map(rows.map((row) => [row.key, row.days]))
  return steps.map((step) => ({ ...step, days: days.get(step.key) ?? null }))
}

/** The results of the leads created in the period: each step relative to the previous one, with the median days to it (DOMAIN 3 b). */
async function conversionSteps(question: StatQuestion): Promise<readonly FunnelStep[]> {
  const { trx, caller } = question.ctx
  const { tenantId } = caller
  // A step that happened before the previous one took no time: an existing opportunity to which a converted lead was added.
  const median = (later: string, earlier: string) =>
    sql`round((percentile_cont(0.5) within group (order by greatest(0, extract(epoch from ${sql.ref(later)} - ${sql.ref(earlier)}) / 86400))
      filter (where ${sql.ref(later)} is not null))::numeric, 1)`
  const ofStep = (where: RawBuilder<unknown>) =>
    sumsOf(question.ctx)('amount', sql`count(distinct bid) filter (where ${where})`, sql`amount`, where)
  const { rows } = await sql<Record<string, number | null>>`
    with cohort as (
      select l.created_at as t0, case when l.status = 40 then l.converted_at end as t1, b.id as bid, b.created_at as t2,
        case when b.status = 2 then b.closed_at end as t3, coalesce(b.amount, 0) as amount
      from lead l left join bussiness b on b.tenant_id = l.tenant_id and b.id = l.bussiness_id and b.deleted_at is null
        and l.status = 40
      where ${isOfCohort(question, 'l')}),
    paid as (select c.*, ${lastPaid(tenantId, sql`c.bid`)} as t4 from cohort c)
    select count(*) as leads, count(t1) as converted, count(t2) as bussiness, count(t3) as won, count(t3) filter (where t4 is not null) as paid,
      ${ofStep(sql`t2 is not null`)} as bussiness_amount, ${ofStep(sql`t3 is not null`)} as won_amount,
      ${ofStep(sql`t3 is not null and t4 is not null`)} as paid_amount,
      ${median('t1', 't0')} as converted_days, ${median('t2', 't1')} as bussiness_days,
      ${median('t3', 't2')} as won_days, ${median('t4', 't3')} as paid_days
    from paid`.execute(trx)
  const found = rows[0] ?? {}
  const count = (step: string) => found[step] ?? 0
  return LEAD_STEPS.map((key, i) => {
    const before = LEAD_STEPS[i - 1]
    return {
      key,
      label: text(`stats.funnel.${key}`),
      count: count(key),
      amount: `${key}_amount` in found ? (found[`${key}_amount`] ?? null) : 0,
      weighted: 0,
      rate: before === undefined ? null : percent(count(key), count(before)),
      days: found[`${key}_days`] ?? null,
    }
  })
}

/** Won and lost in the period, by count and amount. */
async function closedIn(
  question: StatQuestion,
  flowId: string | null,
): Promise<Pick<StatFunnel, 'winRate' | 'closed'>> {
  const ofStatus = (status: number) => {
    const where = sql`b.status = ${status}`
    return sumsOf(question.ctx)('amount', sql`count(*) filter (where ${where})`, sql`b.amount`, where)
  }
  const { rows } = await sql<StatFunnel['closed']>`select count(*) filter (where b.status = 2) as won,
      count(*) filter (where b.status = 3) as lost,
      ${ofStatus(2)} as "wonAmount", ${ofStatus(3)} as "lostAmount"
    from bussiness b where ${isClosedIn(question, 'b')}
      and (${flowId}::text is null or b.flow_id = ${flowId})`.execute(question.ctx.trx)
  const closed = rows[0] ?? { won: 0, lost: 0, wonAmount: 0, lostAmount: 0 }
  const { wonAmount, lostAmount } = closed
  return {
    closed,
    winRate: {
      count: percent(closed.won, closed.won + closed.lost),
      amount: wonAmount === null || lostAmount === null ? null : percent(wonAmount, wonAmount + lostAmount),
    },
  }
}

function percent(part: number, total: number): number | null {
  return total === 0 ? null : Math.round((part / total) * 1000) / 10
}
