import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { StatisticKey } from '../../../contract/home.ts'
import { type StatTrend, TREND_BUCKETS, type TrendBucket } from '../../../contract/stats.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type StatQuestion, statNumbers } from '../../kernel/lists/stat-rows.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { calendarDaysOf, type WallSpan } from '../../kernel/time/period.ts'
import { dayText, startOfDay, type WallTime, wallTimeOf } from '../../kernel/time/zone.ts'
import { readKey, readQuestion, readWord } from './question.ts'

/** Maximum points of a trend: two months of days. */
const MAX_BUCKETS = 62
const MAX_KEYS = 8

/** POST /mini/stats/trend: each key per day, week (from Monday) or month of the period. */
export async function statTrend(body: JsonObject, ctx: CallContext): Promise<StatTrend> {
  const { question } = await readQuestion(body, ctx)
  const bucket = readWord(body.bucket ?? 'day', TREND_BUCKETS, 'bucket')
  const requestedKeys = Array.isArray(body.keys) ? body.keys : []
  const keys = [...new Set(requestedKeys.map(readKey))]
  if (keys.length === 0 || keys.length > MAX_KEYS)
    refuse(400, 'VALIDATION', text('stats.key'), { detail: 'keys' })
  const spans = bucketsOf(question.span, bucket)
  if (spans.length > MAX_BUCKETS)
    refuse(400, 'VALIDATION', text('stats.bucket', { most: MAX_BUCKETS }), { detail: 'bucket' })
  const values: (readonly (number | null)[])[] = []
  for (const key of keys) values.push(await countPerSpan(key, spans, question))
  const end = lengthOf(spans, values, wallTimeOf(ctx.now, ctx.zone))
  const shown = spans.slice(0, end)
  return {
    labels: shown.map((span) => labelOf(span, bucket)),
    buckets: shown.map(calendarDaysOf),
    series: keys.map((key, i) => ({
      key,
      label: text(`stats.key.${key}`),
      values: (values[i] ?? []).slice(0, end),
    })),
  }
}

/** Spans up to today's, and later ones up to the last in which something is dated: a curve does not fall to 0 in days to come. */
function lengthOf(
  spans: readonly WallSpan[],
  values: readonly (readonly (number | null)[])[],
  now: WallTime,
): number {
  return spans.findLastIndex(({ start }, i) => start <= now || values.some((each) => each[i] !== 0)) + 1
}

/** A statistic for each of several intervals, in one statement; null for a sum that the caller may not know. */
export async function countPerSpan(
  key: StatisticKey,
  spans: readonly WallSpan[],
  question: StatQuestion,
): Promise<readonly (number | null)[]> {
  const { rows } = await sql<{
    i: number
    value: number | null
  }>`${statNumbers(key, question, spans)}`.execute(question.ctx.trx)
  const found = new Map(rows.map(({ i, value }) => [i, value]))
  return spans.map((_, i) => found.get(i) ?? (found.has(i) ? null : 0))
}

/** The period split at days, Mondays or first days of months. */
export function bucketsOf({ start, end }: WallSpan, bucket: TrendBucket): readonly WallSpan[] {
  const spans: WallSpan[] = []
  for (let from = start; from < end; ) {
    const to = Math.min(end, nextCut(from, bucket))
    spans.push({ start: from, end: to })
    from = to
  }
  return spans
}

/** This month and the previous ones, oldest first. */
export function lastMonths(now: WallTime, count: number): readonly WallSpan[] {
  const date = new Date(now)
  const first = (back: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)
  return Array.from({ length: count }, (_, i) => ({ start: first(count - 1 - i), end: first(count - 2 - i) }))
}

function nextCut(from: WallTime, bucket: TrendBucket): WallTime {
  const date = new Date(from)
  if (bucket === 'day') return startOfDay(from, 1)
  if (bucket === 'week') return startOfDay(from, 7 - ((date.getUTCDay() + 6) % 7))
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

function labelOf({ start }: WallSpan, bucket: TrendBucket): string {
  return bucket === 'month' ? dayText(start).slice(0, 7) : dayText(start).slice(5)
}
