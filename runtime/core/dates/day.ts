/** A day of the Gregorian calendar, without a time or a zone. `month` and `day` count from 1. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})$/
const ERA_DAYS = 146_097 // days in 400 years
const EPOCH_SHIFT = 719_468 // from 0000-03-01 to 1970-01-01

/** Length of a month, leap years included. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days since 1970-01-01. A year is counted from March, so that the leap day is its last. */
export function dayNumber({ year, month, day }: Day): number {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return (
    era * ERA_DAYS +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    EPOCH_SHIFT
  )
}

/** The date `days` after 1970-01-01; the inverse of {@link dayNumber}. */
export function dayAt(count: number): Day {
  const shifted = count + EPOCH_SHIFT
  const era = Math.floor(shifted / ERA_DAYS)
  const dayOfEra = shifted - era * ERA_DAYS
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}

/** `2026-01-05`; such texts sort as the days do. */
export function dayText({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** Reads {@link dayText}; null for anything else and for days that do not exist. */
export function readDay(text: string): Day | null {
  const [, year, month, day] = (WRITTEN.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return { year, month, day }
}

/** 0 Sunday … 6 Saturday. */
export const weekday = (day: Day): number => (((dayNumber(day) + 4) % 7) + 7) % 7

/** The same day `by` months on, shortened to the target month's length: a month after 31 January is 28 February. */
export function shiftMonth({ year, month, day }: Day, by: number): Day {
  const months = year * 12 + month - 1 + by
  const target = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 }
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) }
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const two = (n: number): string => String(n).padStart(2, '0')
