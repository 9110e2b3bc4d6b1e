import { type JsonObject, ownValue } from '../json.ts'
import { readDate, writeDate } from './date-text.ts'
import { readTime, secondOfDay, writeTime } from './time-text.ts'

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
  const written = read('format') || stored
  const shown = ownValue(options, 'hideSecond') === true ? written.replace(/[:：]?s+秒?/, '') : written
  return { shown, stored: stored || shown }
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

/** Two stored dates or times, the earlier one first. */
export function orderMoments(a: string, b: string, { stored }: MomentFormats): readonly [string, string] {
  const at = (text: string): number => {
    if (!isTime(stored)) return readDate(text, stored)?.getTime() ?? 0
    const time = readTime(text, stored)
    return time === null ? 0 : secondOfDay(time)
  }
  return at(a) <= at(b) ? [a, b] : [b, a]
}

/** No year, month or day is in it. */
const isTime = (format: string): boolean => !/[YyMDd]/.test(format)
