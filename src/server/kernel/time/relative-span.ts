import type { RelativeSpan } from '../../../contract/list.ts'
import { startOfDay, type WallTime } from './zone.ts'

/** An interval of local time; a missing end is open. `start` is included, `end` is not. */
export interface OpenSpan {
  readonly start?: WallTime
  readonly end?: WallTime
}

const weekStart = (now: WallTime, weeks: number) =>
  startOfDay(now, weeks * 7 - ((new Date(now).getUTCDay() + 6) % 7))
const monthStart = (now: WallTime, months: number) =>
  Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + months, 1)
const days = (now: WallTime, from: number, to: number): OpenSpan => ({
  start: startOfDay(now, from),
  end: startOfDay(now, to),
})
const weeks = (now: WallTime, from: number): OpenSpan => ({
  start: weekStart(now, from),
  end: weekStart(now, from + 1),
})
const months = (now: WallTime, from: number): OpenSpan => ({
  start: monthStart(now, from),
  end: monthStart(now, from + 1),
})

/** The current meaning of a named interval; weeks begin on Monday, `next7d` and `last7d` include today. */
export const RELATIVE_SPAN_OF: Readonly<Record<RelativeSpan, (now: WallTime) => OpenSpan>> = {
  today: (now) => days(now, 0, 1),
  yesterday: (now) => days(now, -1, 0),
  tomorrow: (now) => days(now, 1, 2),
  thisWeek: (now) => weeks(now, 0),
  lastWeek: (now) => weeks(now, -1),
  nextWeek: (now) => weeks(now, 1),
  thisMonth: (now) => months(now, 0),
  lastMonth: (now) => months(now, -1),
  nextMonth: (now) => months(now, 1),
  next7d: (now) => days(now, 0, 7),
  next30d: (now) => days(now, 0, 30),
  last7d: (now) => days(now, -6, 1),
  last30d: (now) => days(now, -29, 1),
  last90d: (now) => days(now, -89, 1),
  overdue: (now) => ({ end: now }),
}
