import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { ANALYSIS_DIMENSIONS, type AnalysisDimension, type StatAnalysis } from '../../../contract/stats.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { isBy, rowsOf, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { text } from '../../kernel/text/text.ts'
import { instantsOf } from '../../kernel/time/period.ts'
import { readQuestion, readWord } from './question.ts'

const GROUPS_MOST = 50

/** Rows `value, amount` of a dimension, and the dictionary its values are named by. */
const SOURCES: Readonly<
  Record<AnalysisDimension, readonly [string, (question: StatQuestion) => RawBuilder<unknown>]>
> = {
  source: ['customer_source', newCustomers('x.source')],
  level: ['customer_level', newCustomers('x.level')],
  industry: ['industry', newCustomers('x.industry')],
  region: [
    '',
    (question) =>
      sql`select x.region[1] as value, 0 as amount from customer x where ${rowsOf('new_customer', question, 'x')}`,
  ],
  lose_reason: [
    'lose_reason',
    (question) => {
      const { from, to } = instantsOf(question.span, question.asking.zone)
      return sql`select b.lose_reason as value, b.amount from bussiness b
        where b.tenant_id = ${question.asking.caller.tenantId} and b.status = 3 and b.deleted_at is null
          and b.closed_at >= ${from} and b.closed_at < ${to} and ${isBy(question, 'bussiness', sql`b.owner_id`)}`
    },
  ],
  product: [
    '',
    (
      question,
    ) => sql`select line ->> 'product_name' as value, coalesce((line ->> 'amount')::numeric, 0) as amount
      from contract x cross join lateral jsonb_array_elements(x.lines) line
      where ${rowsOf('new_contract_total', question, 'x')} and x.replaced_by is null`,
  ],
  method: [
    'follow_method',
    (question) =>
      sql`select x.method as value, 0 as amount from follow x where ${rowsOf('new_customer_follow', question, 'x')}`,
  ],
}

/** POST /mini/stats/analysis: how many, and how much, of the period by one dimension; the largest 50. */
export async function statAnalysis(body: JsonObject, asking: Asking): Promise<StatAnalysis> {
  const dimension = readWord(body.dimension, ANALYSIS_DIMENSIONS, 'dimension')
  const { question } = await readQuestion(body, asking)
  const [dict, source] = SOURCES[dimension]
  const { rows } = await sql<{ value: string | null; label: string | null; count: number; amount: number }>`
    select g.value, coalesce(d.label, g.value) as label, g.count, g.amount from (
      select s.value, count(*) as count, coalesce(sum(s.amount), 0) as amount from (${source(question)}) s group by 1) g
    left join dict_item d on d.tenant_id = ${asking.caller.tenantId} and d.type_key = ${dict} and d.value = g.value
    order by g.amount desc, g.count desc, g.value limit ${GROUPS_MOST}`.execute(asking.trx)
  return {
    dimension,
    groups: rows.map((row) => ({
      ...row,
      value: row.value ?? '',
      label: row.label ?? text('stats.nothing'),
    })),
  }
}

function newCustomers(column: string): (question: StatQuestion) => RawBuilder<unknown> {
  return (question) =>
    sql`select ${sql.ref(column)} as value, 0 as amount from customer x where ${rowsOf('new_customer', question, 'x')}`
}
