import { sql } from 'kysely'
import type { BussinessForecast, ForecastMonth } from '../../../contract/bussiness.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, startOfDay, type WallTime, wallTimeOf } from '../../kernel/time/zone.ts'
import { BUSSINESS_LIST } from './list-spec.ts'
import { shownSums } from './shown-sums.ts'

/** Number of months, including the current one, that are shown separately. */
const MONTHS = 6

/**
 * POST /mini/bussiness/forecast: open opportunities by expected month. Each span has its count, its sum and the sum of amount × win rate. The rows of
 * a span are those of the list with the same request, `status` 1 and `expected_date` within the span.
 * @param body  a list request; its cursor and order are ignored
 */
export async function bussinessForecast(body: unknown, ctx: CallContext): Promise<BussinessForecast> {
  const { now, zone } = ctx
  const request = { ...readListRequest(body), withTotal: false, withTabs: false }
  const spans = spansFrom(wallTimeOf(now, zone))
  const first = spans[1]?.from ?? null
  const last = spans.at(-1)?.from ?? null
  const key = sql`case when b.expected_date < ${first}::date then 'past' when b.expected_date >= ${last}::date then 'later'
    else to_char(b.expected_date, 'YYYY-MM') end`
  const open = { where: sql<boolean>`b.status = 1`, key: 'open' }
  const sums = await openList(describedList(BUSSINESS_LIST, ctx), request, ctx, open).sums(key, [
    'amount',
    'weighted',
  ])
  const list = spans
    .map(
      (span): ForecastMonth => ({
        ...span,
        ...shownSums(sums.find((sum) => sum.key === span.key) ?? {}, ctx),
      }),
    )
    // Empty spans `past` and `later` are left out; an empty month is worth showing.
    .filter(({ key, count }) => count > 0 || (key !== 'past' && key !== 'later'))
  const total = (name: 'count' | 'amount' | 'weighted') =>
    Math.round(list.reduce((sum, month) => sum + (month[name] ?? 0) * 100, 0)) / 100
  const totals = { count: total('count'), amount: total('amount'), weighted: total('weighted') }
  return { list, ...shownSums(totals, ctx) }
}

type Span = Pick<ForecastMonth, 'key' | 'label' | 'from' | 'until'>

/** The spans: before this month, each month from it on, and after the last one. */
function spansFrom(wall: WallTime): readonly Span[] {
  const at = new Date(wall)
  const first = (month: number): WallTime => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + month, 1)
  const months = Array.from({ length: MONTHS }, (_, month): Span => {
    const from = first(month)
    const [year, number] = [new Date(from).getUTCFullYear(), new Date(from).getUTCMonth() + 1]
    return {
      key: dayText(from).slice(0, 7),
      label: text('bussiness.forecast.month', { year, month: number }),
      from: dayText(from),
      until: dayText(startOfDay(first(month + 1), -1)),
    }
  })
  return [
    {
      key: 'past',
      label: text('bussiness.forecast.past'),
      from: null,
      until: dayText(startOfDay(first(0), -1)),
    },
    ...months,
    { key: 'later', label: text('bussiness.forecast.later'), from: dayText(first(MONTHS)), until: null },
  ]
}
