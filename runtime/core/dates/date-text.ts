import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'

import { normalPattern } from './format.ts'

dayjs.extend(customParseFormat)

/** Reads a stored date or time in the field's format, else as ISO; null when it is neither. */
export function readDate(text: string, format: string): Date | null {
  if (text === '') return null
  const exact = dayjs(text, normalPattern(format))
  if (exact.isValid()) return exact.toDate()
  const loose = dayjs(text)
  return loose.isValid() ? loose.toDate() : null
}

/** Writes a date in the field's format. */
export const writeDate = (date: Date, format: string): string => dayjs(date).format(normalPattern(format))

export type DatePrecision = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

/** The finest unit in a format. */
export function precisionOf(format: string): DatePrecision {
  const written = normalPattern(format)
  if (/s/.test(written)) return 'second'
  if (/m/.test(written)) return 'minute'
  if (/[Hh]/.test(written)) return 'hour'
  if (/D/.test(written)) return 'day'
  return /M/.test(written) ? 'month' : 'year'
}

/** A day picked by a chip: days from today, or the next given weekday after today (1 = Monday … 7), at `HH:mm`. */
export interface DateShortcut {
  readonly days?: number
  readonly weekday?: number
  readonly time?: string
}

/** The time of a chip, relative to `now`. */
export function shortcutDate({ days = 0, weekday, time = '00:00' }: DateShortcut, now: Date): Date {
  const ahead = weekday === undefined ? days : ((weekday - now.getDay() + 6) % 7) + 1
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead, hours, minutes)
}
