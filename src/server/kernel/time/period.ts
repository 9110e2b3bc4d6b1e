import { dayText, instantOf, startOfDay, type WallTime } from './zone.ts'

/** Periods of the statistics (DOMAIN 3). */
export const PERIODS = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
  'custom',
] as const
export type Period = (typeof PERIODS)[number]

/** An interval of local time: `start` is included, `end` is not. */
export interface WallSpan {
  readonly start: WallTime
  readonly end: WallTime
}

/** Both periods of a statistic, in local time of the tenant. */
export interface ComparedSpans {
  readonly current: WallSpan
  /** The previous period, cut to the elapsed length of the current one. */
  readonly previous: WallSpan
}

/** Maximum days of `custom` (DOMAIN 3). */
export const MAX_CUSTOM_DAYS = 366
const DAY_MS = 86_400_000

/**
 * A period and the previous one.
 *
 * @param now   local time of the tenant
 * @param custom first and last day (both included), for `custom` only
 */
export function spansOf(period: Exclude<Period, 'custom'>, now: WallTime): ComparedSpans {
  const step = period.startsWith('this') || period === 'today' ? 0 : -1
  const current = unitSpan(unitOf(period), now, step)
  return { current, previous: cut(unitSpan(unitOf(period), now, step - 1), current, now) }
}

/** The interval of chosen days (both included) and the equally long one before it. */
export function customSpans(firstDay: WallTime, lastDay: WallTime, now: WallTime): ComparedSpans {
  const current = { start: startOfDay(firstDay), end: startOfDay(lastDay, 1) }
  const length = current.end - current.start
  return { current, previous: cut({ start: current.start - length, end: current.start }, current, now) }
}

/** Length of a custom span in days. */
export function daysOf(span: WallSpan): number {
  return Math.round((span.end - span.start) / DAY_MS)
}

/** The interval as instants, for columns with times. */
export function instantsOf(span: WallSpan, zone: string): { readonly from: Date; readonly to: Date } {
  return { from: instantOf(span.start, zone), to: instantOf(span.end, zone) }
}

/** The interval as calendar days, for columns with days; `to` is not included. A partial day counts. */
export function calendarDaysOf(span: WallSpan): { readonly from: string; readonly to: string } {
  const isMidnight = span.end === startOfDay(span.end)
  return { from: dayText(span.start), to: dayText(isMidnight ? span.end : startOfDay(span.end, 1)) }
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

function unitOf(period: Exclude<Period, 'custom'>): Unit {
  if (period === 'today' || period === 'yesterday') return 'day'
  return period.slice(period.indexOf('_') + 1) as Unit
}

function unitSpan(unit: Unit, now: WallTime, step: number): WallSpan {
  return { start: unitStart(unit, now, step), end: unitStart(unit, now, step + 1) }
}

function unitStart(unit: Unit, now: WallTime, step: number): WallTime {
  const date = new Date(now)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  if (unit === 'day') return startOfDay(now, step)
  if (unit === 'week') return startOfDay(now, step * 7 - ((date.getUTCDay() + 6) % 7))
  if (unit === 'month') return Date.UTC(year, month + step, 1)
  if (unit === 'quarter') return Date.UTC(year, month - (month % 3) + step * 3, 1)
  return Date.UTC(year + step, 0, 1)
}

/** For an unfinished current period only the same part of the previous one is used, at most all of it. */
function cut(previous: WallSpan, current: WallSpan, now: WallTime): WallSpan {
  if (now >= current.end) return previous
  const elapsed = Math.max(0, now - current.start)
  return { start: previous.start, end: Math.min(previous.end, previous.start + elapsed) }
}
