import type { DayBounds } from '../../core/dates/calendar.ts'
import { readDate, writeDate } from '../../core/dates/date-text.ts'
import { readDay } from '../../core/dates/day.ts'
import { FIRST_YEAR, LAST_YEAR } from '../../core/dates/wheels.ts'
import type { NodeState } from '../../core/engine.ts'
import { textOf } from '../page/options.ts'

const ISO = 'YYYY-MM-DD'

/** A stored text in the field's format as `2026-01-05`; undefined if it is no date. */
export function toDay(text: string, format: string): string | undefined {
  const date = readDate(text, format)
  return date === null ? undefined : writeDate(date, ISO)
}

/** A date in the field's format. */
export function fromDay(day: string, format: string): string {
  const parts = readDay(day)
  return parts === null ? '' : writeDate(new Date(parts.year, parts.month - 1, parts.day), format)
}

/** The dates a field allows: its own bounds, else 1920 to 2120. */
export function dayBounds({ options }: NodeState, format: string): DayBounds {
  return {
    min: toDay(textOf(options.minDate), format) ?? `${FIRST_YEAR}-01-01`,
    max: toDay(textOf(options.maxDate), format) ?? `${LAST_YEAR}-12-31`,
  }
}
