import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { ANALYSIS_DIMENSIONS, type AnalysisDimension, type StatAnalysis } from '../../../contract/stats.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { rowsOf, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { text } from '../../kernel/text/text.ts'
import { countByField, fieldDimension } from './field-dimension.ts'
import { isClosedIn } from './figure-rows.ts'
import { readQuestion, readWord } from './question.ts'

const MAX_GROUPS = 50

/** Rows `value, amount` of a dimension, and the dictionary with the names of its values. */
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
    (question) =>
      sql`select b.lose_reason as value, b.amount from bussiness b where ${isLost(question, 'b')}`,
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

/** The rows of `x` that one group of a dimension counts, and their table. */
export function rowsOfGroup(
  dimension: AnalysisDimension,
  value: string,
  question: StatQuestion,
): {
  readonly entity: 'customer' | 'bussiness' | 'contract' | 'follow'
  readonly where: RawBuilder<boolean>
} {
  const is = (column: RawBuilder<unknown>) =>
    value === '' ? sql<boolean>`${column} is null` : sql<boolean>`${column} = ${value}`
  const customers = (column: RawBuilder<unknown>) =>
    sql<boolean>`(${rowsOf('new_customer', question, 'x')} and ${is(column)})`
  const follows = rowsOf('new_customer_follow', question, 'x')
  const contracts = rowsOf('new_contract_total', question, 'x')
  switch (dimension) {
    case 'source':
    case 'level':
    case 'industry':
      return { entity: 'customer', where: customers(sql.ref(`x.${dimension}`)) }
    case 'region':
      return { entity: 'customer', where: customers(sql`x.region[1]`) }
    case 'method':
      return { entity: 'follow', where: sql<boolean>`(${follows} and ${is(sql.ref('x.method'))})` }
    case 'lose_reason':
      return {
        entity: 'bussiness',
        where: sql<boolean>`(${isLost(question, 'x')} and ${is(sql.ref('x.lose_reason'))})`,
      }
    case 'product':
      return {
        entity: 'contract',
        where: sql<boolean>`(${contracts} and x.replaced_by is null and exists (
          select 1 from jsonb_array_elements(x.lines) line where ${is(sql`line ->> 'product_name'`)}))`,
      }
  }
}

/** Opportunities lost in the period. */
function isLost(question: StatQuestion, row: string): RawBuilder<boolean> {
  return sql<boolean>`(${isClosedIn(question, row)} and ${sql.ref(`${row}.status`)} = 3)`
}

/** The name of a group. */
export async function groupLabel(
  dimension: AnalysisDimension,
  value: string,
  ctx: CallContext,
): Promise<string> {
  return value === '' ? text('stats.nothing') : wordOfDict(SOURCES[dimension][0], value, ctx)
}

/** The label of a dictionary value; the value itself if unknown. */
export async function wordOfDict(key: string, value: string, { trx, caller }: CallContext): Promise<string> {
  const { rows } = await sql<{
    label: string
  }>`select label from dict_item where tenant_id = ${caller.tenantId}
    and type_key = ${key} and value = ${value} limit 1`.execute(trx)
  return rows[0]?.label ?? value
}

/** The field that a dimension reveals, and the field it sums. */
const FIELDS: Readonly<Record<AnalysisDimension, readonly [module: string, field: string, amount?: string]>> =
  {
    source: ['customer', 'source'],
    level: ['customer', 'level'],
    industry: ['customer', 'industry'],
    region: ['customer', 'region'],
    lose_reason: ['bussiness', 'lose_reason', 'amount'],
    product: ['contract', 'lines', 'amount'],
    method: ['follow', 'method'],
  }

/** True for a dimension whose field the caller sees in full. */
export function isOpenDimension(dimension: AnalysisDimension, { caller }: CallContext): boolean {
  const [module, field] = FIELDS[dimension]
  return isClear(caller, module, field)
}

/**
 * POST /mini/stats/analysis: number and amount of the period by one dimension, which may be any field that groups records; the largest 50 groups. No
 * groups for a field that the caller does not see in full.
 */
export async function statAnalysis(body: JsonObject, ctx: CallContext): Promise<StatAnalysis> {
  const { question } = await readQuestion(body, ctx)
  const field = fieldDimension(body.dimension, ctx)
  if (field !== undefined) return countByField(field, question)
  const dimension = readWord(body.dimension, ANALYSIS_DIMENSIONS, 'dimension')
  if (!isOpenDimension(dimension, ctx)) return { dimension, groups: [] }
  const [module, , amount] = FIELDS[dimension]
  const hasAmount = amount !== undefined && isClear(ctx.caller, module, amount)
  const [dict, source] = SOURCES[dimension]
  const { rows } = await sql<{ value: string | null; label: string | null; count: number; amount: number }>`
    select g.value, coalesce(d.label, g.value) as label, g.count, g.amount from (
      select s.value, count(*) as count, coalesce(sum(s.amount), 0) as amount from (${source(question)}) s group by 1) g
    left join dict_item d on d.tenant_id = ${ctx.caller.tenantId} and d.type_key = ${dict} and d.value = g.value
    order by ${hasAmount ? sql`g.amount desc, ` : sql``}g.count desc, g.value limit ${MAX_GROUPS}`.execute(
    ctx.trx,
  )
  return {
    dimension,
    groups: rows.map((row) => ({
      ...row,
      amount: hasAmount ? row.amount : 0,
      value: row.value ?? '',
      label: row.label ?? text('stats.nothing'),
    })),
  }
}

function newCustomers(column: string): (question: StatQuestion) => RawBuilder<unknown> {
  return (question) =>
    sql`select ${sql.ref(column)} as value, 0 as amount from customer x where ${rowsOf('new_customer', question, 'x')}`
}
