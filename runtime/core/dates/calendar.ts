import { type Day, dayAt, dayNumber, dayText, weekday } from './day.ts'

/** The selectable days, both ends included, as {@link dayText}; a missing end is open. */
export interface DayBounds {
  readonly min?: string | undefined
  readonly max?: string | undefined
}

/** One of the 42 cells of a month. */
export interface CalendarCell {
  readonly day: Day
  /** `2026-01-05`. */
  readonly text: string
  /** False for the days before and after the month that fill the first and last week. */
  readonly inMonth: boolean
  /** Within the bounds and in the month: selectable. */
  readonly allowed: boolean
}

/** Six weeks of seven days, whatever the month. */
const CELLS = 42

/** The cells of a month: weeks start on Sunday; days of other months fill them up and are not selectable. */
export function monthCells(year: number, month: number, bounds: DayBounds = {}): readonly CalendarCell[] {
  const first = { year, month, day: 1 }
  const start = dayNumber(first) - weekday(first)
  return Array.from({ length: CELLS }, (_, i) => {
    const day = dayAt(start + i)
    const text = dayText(day)
    const inMonth = day.month === month
    return { day, text, inMonth, allowed: inMonth && isWithin(text, bounds) }
  })
}

/** Both ends belong to it. */
export function isWithin(text: string, { min, max }: DayBounds): boolean {
  return (min === undefined || text >= min) && (max === undefined || text <= max)
}

/** True if some day of the month is selectable: only then can it be shown. */
export function isMonthWithin(year: number, month: number, { min, max }: DayBounds): boolean {
  const prefix = dayText({ year, month, day: 1 }).slice(0, 7)
  return (min === undefined || prefix >= min.slice(0, 7)) && (max === undefined || prefix <= max.slice(0, 7))
}
