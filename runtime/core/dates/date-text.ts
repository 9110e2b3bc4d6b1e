import { dateFields, fieldsOf, instantOf, normalPattern, readFields, writeFields } from './written-date.ts'

/** An ISO date without a zone, whole or its first part, as loosely as people write it: `2026-1-5`, `2026/01/05 8:30`, `20260105`. */
const LOOSE = /^(\d{4})[-/]?(\d{1,2})?[-/]?(\d{0,2})[Tt\s]*(\d{1,2})?:?(\d{1,2})?:?(\d{1,2})?[.:]?(\d+)?$/

/** Reads a stored date or time in the field's format, else as ISO; null when it is neither. @param year  of a format without one */
export function readDate(text: string, format: string, year?: number): Date | null {
  if (text === '') return null
  const exact = readFields(text, format, year)
  if (exact !== null) return instantOf(exact)
  const parts = LOOSE.exec(text)
  if (parts === null) {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? null : date
  }
  const [full = 0, month, day, hour, minute, second] = parts.slice(1).map(Number)
  const loose = dateFields(full, month || 1, day || 1, {
    hour: hour || 0,
    minute: minute || 0,
    second: second || 0,
  })
  return loose === null ? null : instantOf(loose)
}

/** Writes a date in the field's format. */
export const writeDate = (date: Date, format: string): string => writeFields(fieldsOf(date), format)

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
