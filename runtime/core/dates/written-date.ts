import { NONE, readTimeTokens, type TimeOfDay, writeTimeToken } from './time-text.ts'

/** The tokens of a pattern; a word in brackets stands for itself. */
const TOKENS = /\[[^\]]*\]|YYYY|YY|M{1,4}|DD?|HH?|hh?|A|a|mm?|ss?|SSS|ZZ?/g
/** Replaces an empty pattern. */
const USUAL = 'YYYY-MM-DDTHH:mm:ssZ'
const MINUTE_MS = 60_000
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** A pattern with the tokens in capitals: `yyyy`/`dd` of older documents count as `YYYY`/`DD`. */
export function normalPattern(pattern: string): string {
  return pattern.replace(/[yd]+/g, (letters) => letters.toUpperCase())
}

/**
 * A wall-clock date as milliseconds: the instant that has the same fields in UTC, so that it depends on no time zone. Null if there is no such day or
 * time (30 February, 25:00).
 */
export function dateFields(year: number, month: number, day: number, time: TimeOfDay = NONE): number | null {
  const { hour, minute, second } = time
  const at = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(at)
  const is = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours()]
  return `${is}` === `${[year, month, day, hour]}` && minute < 60 && second < 60 ? at : null
}

/** The fields of an instant on the clock of the device. */
export const fieldsOf = (date: Date): number =>
  Date.UTC(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  )

/** The instant that has these fields on the clock of the device. */
export function instantOf(fields: number): Date {
  const at = new Date(fields)
  return new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  )
}

/** Writes a date in a pattern: `YYYY`, `YY`, `MMMM` to `M`, `DD`, `D`, the tokens of times, `SSS`, `Z`, `ZZ`. */
export function writeFields(fields: number, pattern: string): string {
  const date = new Date(fields)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const time = { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
  return normalPattern(pattern || USUAL).replace(TOKENS, (token) => {
    switch (token.charAt(0)) {
      case '[':
        return token.slice(1, -1)
      case 'Y':
        return String(year).padStart(4, '0').slice(-token.length)
      case 'M':
        if (token.length === 3) return MONTHS[month]?.slice(0, 3) ?? ''
        return token.length > 3 ? (MONTHS[month] ?? '') : String(month + 1).padStart(token.length, '0')
      case 'D':
        return String(day).padStart(token.length, '0')
      case 'S':
        return '000'
      case 'Z':
        return zoneText(instantOf(fields), token === 'Z' ? ':' : '')
      default:
        return writeTimeToken(time, token)
    }
  })
}

/** Reads what {@link writeFields} wrote in that pattern; null when it does not fit, or is no date. @param year  of a pattern without one */
export function readFields(text: string, pattern: string, year = 2000): number | null {
  const found: Record<string, string> = {}
  let rest = text
  for (const token of normalPattern(pattern).match(TOKENS) ?? []) {
    const match = expected(token).exec(rest)
    if (match === null) return null
    rest = rest.slice(match.index + match[0].length)
    found[token.charAt(0)] = match[0]
  }
  const { Y: written, M: month, D: day, Z: zone } = found
  if (month === undefined && written === undefined) return null
  const time = readTimeTokens(found)
  const fields = dateFields(
    written === undefined ? year : fullYear(written),
    monthOf(month ?? '1'),
    Number(day ?? 1),
    time,
  )
  if (fields === null || zone === undefined) return fields
  return fieldsOf(new Date(fields - zoneMinutes(zone) * MINUTE_MS))
}

function expected(token: string): RegExp {
  if (token === 'YYYY') return /\d{4}/
  if (token === 'YY') return /\d{2}/
  if (token.startsWith('MMM')) return /[A-Za-z]+/
  if (token === 'SSS') return /\d{3}/
  if (token.startsWith('Z')) return /[+-]\d\d:?\d\d|Z/
  if (token === 'A' || token === 'a') return /[AP]M/i
  if (token.startsWith('[')) return /^/
  return token === 'MM' || token === 'DD' ? /\d{2}/ : /\d{1,2}/
}

/** Two-digit years from 69 on belong to the 20th century. */
const fullYear = (year: string): number =>
  year.length > 2 ? Number(year) : Number(year) + (Number(year) > 68 ? 1900 : 2000)

const monthOf = (written: string): number =>
  Number(written) || MONTHS.findIndex((name) => name.slice(0, 3) === written.slice(0, 3)) + 1

function zoneMinutes(zone: string): number {
  const [hours = 0, minutes = 0] = (zone.match(/\d\d/g) ?? []).map(Number)
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function zoneText(date: Date, between: string): string {
  const minutes = -date.getTimezoneOffset()
  const two = (n: number): string => String(Math.floor(Math.abs(n))).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}${between}${two(minutes % 60)}`
}
