import { type Json, type JsonObject, ownValue } from '../json.ts'
import { readDate, writeDate } from './date-text.ts'
import { readTime, secondOfDay, writeTime } from './time-text.ts'
import { normalPattern } from './written-date.ts'

/** The formats of a selected date or time. */
export interface MomentFormats {
  /** For display; also determines the finest unit that can be selected. */
  readonly shown: string
  /** In the value. */
  readonly stored: string
}

/** The formats of a field: `format`, without seconds with `hideSecond`, and `valueFormat` if it is stored differently. */
export function momentFormats(options: JsonObject): MomentFormats {
  const read = (name: string): string => {
    const value = ownValue(options, name)
    return typeof value === 'string' ? value : ''
  }
  const stored = read('valueFormat')
  const written = read('format')
  const shown = ownValue(options, 'hideSecond') === true ? written.replace(/[:：]?s+秒?/, '') : written
  return { shown, stored: stored || shown }
}

/**
 * True if a date (or a time of day) that is written in the format can be read again, down to the finest unit that it names: no unit is left out
 * in between, and no letter has another meaning. Placeholders are not known yet.
 */
export function isReadable(format: Json, isTime: boolean): boolean {
  if (typeof format !== 'string') return false
  if (format.includes('{{')) return true
  const tokens = normalPattern(format).replace(/\[[^\]]*\]|[TSZ]/g, '')
  const units = /a/i.test(tokens) ? tokens.replace(/a/gi, '').replace(/h/g, 'H') : tokens
  const named = [...new Set(units.match(/[a-z]/gi))].sort().join('')
  return (isTime ? /^(?:H|H?ms?)$/ : /^(?:Y|D?MY?|DHMY?(?:ms?)?)$/).test(named)
}

/** A stored date or time for display; any other text is unchanged. */
export function shownMoment(text: string, { shown, stored }: MomentFormats): string {
  if (shown === stored || text === '') return text
  if (isTime(stored)) {
    const time = readTime(text, stored)
    return time === null ? text : writeTime(time, shown)
  }
  const date = readDate(text, stored)
  return date === null ? text : writeDate(date, shown)
}

/** Where a stored date or time is among others; NaN for any other text. */
export function placeOf(text: string, { stored }: MomentFormats): number {
  if (!isTime(stored)) return readDate(text, stored)?.getTime() ?? Number.NaN
  const time = readTime(text, stored)
  return time === null ? Number.NaN : secondOfDay(time)
}

/** Two stored dates or times, the earlier one first. */
export function orderMoments(a: string, b: string, formats: MomentFormats): readonly [string, string] {
  return placeOf(a, formats) > placeOf(b, formats) ? [b, a] : [a, b]
}

/** No year, month or day is in it. */
const isTime = (format: string): boolean => !/[YyMDd]/.test(format)
