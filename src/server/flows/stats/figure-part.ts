import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import {
  ANALYSIS_DIMENSIONS,
  FIGURE_DIMENSIONS,
  type FigureDimension,
  LEAD_STEPS,
  type LeadStep,
  RANK_METRICS,
} from '../../../contract/stats.ts'
import { rowsOf, type StatQuestion, statTable } from '../../kernel/lists/stat-rows.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { groupLabel, isOpenDimension, rowsOfGroup, wordOfDict } from './analysis.ts'
import { type CountedModule, fieldDimension, fieldGroupLabel, rowsByField } from './field-dimension.ts'
import { awaitedMonth, isAwaited, isClosedIn, isOfCohort, isOpenNow, lastPaid } from './figure-rows.ts'
import { readKey, readWord } from './question.ts'
import { rankedRows } from './rank.ts'
import { type FigurePart, pooledCustomers } from './row-kinds.ts'

const AMOUNT = sql<number>`x.amount`

/** The part of a figure in a call: by `key` a tile, by `dimension` and `value` a group of the analysis or a part of another figure. */
export async function figurePart(body: JsonObject, question: StatQuestion): Promise<FigurePart> {
  const { dimension } = body
  if (dimension === undefined || dimension === null || dimension === '') return tile(body.key, question)
  const value = groupOf(body.value)
  const field = fieldDimension(dimension, question.ctx)
  if (field !== undefined)
    return {
      id: `${field.id}=${value}`,
      entity: field.module.name as CountedModule,
      where: rowsByField(field, value, question),
      label: await fieldGroupLabel(field, value, question.ctx),
      unit: 'count',
    }
  const named = readWord(dimension, [...ANALYSIS_DIMENSIONS, ...FIGURE_DIMENSIONS], 'dimension')
  const figureDimension = FIGURE_DIMENSIONS.find((it) => it === named)
  if (figureDimension !== undefined)
    return { id: `${named}=${value}`, ...(await PARTS[figureDimension](value, question, body)) }
  const group = readWord(named, ANALYSIS_DIMENSIONS, 'dimension')
  if (!isOpenDimension(group, question.ctx))
    refuse(405, 'NO_PERMISSION', text('record.withheld'), { detail: 'dimension' })
  return {
    id: `${group}=${value}`,
    label: await groupLabel(group, value, question.ctx),
    unit: 'count',
    ...rowsOfGroup(group, value, question),
  }
}

function tile(named: Json | undefined, question: StatQuestion): FigurePart {
  const key = readKey(named)
  const { entity, sum } = statTable(key)
  const value = sum === undefined ? {} : { value: sql.ref<number>(`x.${sum}`) }
  const kind = key === 'new_public_customer' ? { kind: pooledCustomers(question) } : {}
  return {
    id: key,
    entity,
    where: rowsOf(key, question, 'x'),
    label: '',
    unit: sum ? 'money' : 'count',
    ...value,
    ...kind,
  }
}

type Part = Omit<FigurePart, 'id'>

const PARTS: Readonly<
  Record<FigureDimension, (value: string, question: StatQuestion, body: JsonObject) => Promise<Part> | Part>
> = {
  stage: async (value, question) => ({
    entity: 'bussiness',
    where: sql`(${isOpenNow(question, 'x')} and x.stage_id = ${value})`,
    label: await wordOfDict('bussiness_stage', value, question.ctx),
    value: AMOUNT,
    unit: 'count',
  }),
  closed: (value, question) => {
    const outcome = value === '' ? null : readWord(value, ['won', 'lost'], 'value')
    const isSo = outcome === null ? sql`true` : sql`x.status = ${outcome === 'won' ? 2 : 3}`
    return {
      entity: 'bussiness',
      where: sql`(${isClosedIn(question, 'x')} and ${isSo})`,
      label: text(`stats.closed.${outcome ?? 'all'}`),
      value: AMOUNT,
      unit: 'count',
    }
  },
  lead_step: (value, question) => {
    const step = readWord(value, LEAD_STEPS, 'value')
    return {
      entity: 'lead',
      where: sql`(${isOfCohort(question, 'x')} and ${isPast(step, question)})`,
      label: text(`stats.funnel.${step}`),
      unit: 'count',
    }
  },
  rank: async (value, question, body) => {
    const metric = readWord(body.metric, RANK_METRICS, 'metric')
    const by = readWord(body.by ?? 'user', ['user', 'dept'], 'by')
    return rankedRows(metric, by, value, question)
  },
  plan_month: (value, question) => ({
    entity: 'payment_plan',
    where: sql`exists (select 1 from contract k where k.tenant_id = x.tenant_id and k.id = x.contract_id
      and ${isAwaited(question, 'x')} and ${awaitedMonth(question, 'x')} = ${value})`,
    label: value === 'late' ? text('stats.late') : value,
    value: sql<number>`(x.plan_amount - x.received_amount)`,
    number: sql<number>`coalesce(sum(x.plan_amount - x.received_amount), 0)`,
    unit: 'money',
  }),
}

/** Leads that reached a step. */
function isPast(step: LeadStep, { ctx }: StatQuestion): RawBuilder<boolean> {
  if (step === 'leads') return sql`true`
  const isConverted = sql<boolean>`x.status = 40 and x.converted_at is not null`
  if (step === 'converted') return isConverted
  const { tenantId } = ctx.caller
  const isFar =
    step === 'bussiness'
      ? sql`true`
      : sql`b.status = 2 and b.closed_at is not null ${step === 'paid' ? sql`and ${lastPaid(tenantId, sql`b.id`)} is not null` : sql``}`
  return sql`x.status = 40 and exists (select 1 from bussiness b where b.tenant_id = ${tenantId}
    and b.id = x.bussiness_id and b.deleted_at is null and ${isFar})`
}

const MAX_VALUE = 200

/** The value of a group, '' for the records without one. */
export function groupOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' && value.length <= MAX_VALUE
    ? value
    : refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'value' })
}
