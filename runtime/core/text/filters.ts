import { asWallClock, formatDate, wallClock, wallClockDistance } from '../dates/format.ts'
import { formatDecimal, moneyText } from '../decimal.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import type { Text } from '../ports.ts'
import { cutText } from './length.ts'

/** Separator in a list. */
export const LIST_MARK = '、'

/** The environment of filters; they have no clock and no texts of their own. */
export interface TextServices {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly dict: JsonObject
  readonly text: Text
  /** Zone of the wall-clock texts; default 480 (Asia/Shanghai). */
  readonly offsetMinutes?: number
}

/** `arg` is the text after the colon, '' without one; `read` reads another path. A missing value reaches a filter as null. */
type Filter = (value: Json, arg: string, services: TextServices, read: (path: string) => Json) => Json

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Every filter of `{{ path | filter:arg }}` (runtime/PAGE-FORMAT.md, "Texts"). */
export const FILTERS: Readonly<Record<string, Filter>> = {
  /** A wall-clock text in a pattern; default YYYY-MM-DD. Any other text is unchanged. */
  date: (value, arg, services) =>
    typeof value === 'string'
      ? (formatDate(asWallClock(value, services.offsetMinutes), arg || 'YYYY-MM-DD') ?? value)
      : value,
  /** ¥1,234.50 */
  money: (value) => withNumber(value, moneyText),
  /** With thousands separators; the argument is the number of decimals, default as many as there are (at most 6). */
  number: (value, arg) =>
    withNumber(value, (n) => formatDecimal(n, arg === '' ? decimalsOf(n) : Number(arg))),
  /** 12.5% */
  percent: (value) => withNumber(value, (n) => `${n}%`),
  /** The label of a dictionary value; of several, joined by 、. An unknown value is unchanged. */
  dict: (value, arg, services) => dictLabel(value, arg, services),
  /** 刚刚, n分钟前, n小时前, n天前 (up to 30), then the date. A future time is shown as date and time. */
  ago: (value, _arg, services) => (typeof value === 'string' ? ago(value, services) : value),
  /** 138****1234 for numbers; names keep the first character. */
  mask: (value) => mask(asText(value)),
  /** The beginning up to the width given by the argument (default 8); a Chinese character counts 2. */
  cut: (value, arg) =>
    typeof value === 'string' ? cutText(value, arg === '' ? undefined : Number(arg)) : value,
  /** Numbers above the argument (default 999) become 999+; of a list, the number of its items. */
  count: (value, arg) => {
    const limit = Number(arg || 999)
    return withNumber(Array.isArray(value) ? value.length : value, (n) =>
      n > limit ? `${limit}+` : String(n),
    )
  },
  /** The argument if the value is missing or empty. */
  default: (value, arg) => (isMissing(value) ? arg : value),
  /** The value at the path in the argument, if the value is missing or empty. */
  or: (value, arg, _services, read) => (isMissing(value) ? read(arg) : value),
  /** A list as one text; default separator 、. */
  join: (value, arg) =>
    Array.isArray(value)
      ? value
          .map(asText)
          .filter(Boolean)
          .join(arg || LIST_MARK)
      : value,
  /** Whole days from today to a date; negative when it has passed. */
  days: (value, _arg, services) => days(value, services),
  /** The part of an object, or of each object in a list, under the argument; default `label`. */
  label: (value, arg) => partOf(value, arg || 'label'),
}

const isMissing = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A value in a text: lists joined by 、, objects by their label or name, null as nothing. */
export function asText(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(asText).filter(Boolean).join(LIST_MARK)
  if (isObject(value)) return asText(ownValue(value, 'label') ?? ownValue(value, 'name') ?? '')
  return String(value)
}

function withNumber(value: Json, write: (number: number) => string): Json {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? write(number) : value
}

function decimalsOf(number: number): number {
  return Math.min(6, (String(number).split('.')[1] ?? '').length)
}

function dictLabel(value: Json, key: string, services: TextServices): Json {
  if (Array.isArray(value)) return value.map((item) => asText(dictLabel(item, key, services))).join(LIST_MARK)
  const items = ownValue(services.dict, key)
  if (!Array.isArray(items)) return value
  return findLabel(items, value) ?? value
}

function findLabel(items: readonly Json[], value: Json): Json | undefined {
  for (const item of items) {
    if (!isObject(item)) continue
    if (String(item.value) === String(value)) return item.label
    const inside = Array.isArray(item.children) ? findLabel(item.children, value) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

function ago(value: string, services: TextServices): string {
  const then = asWallClock(value, services.offsetMinutes)
  const passed = wallClockDistance(then, wallClock(services.now, services.offsetMinutes))
  if (passed === null) return value
  if (passed < -MINUTE) return formatDate(then, 'YYYY-MM-DD HH:mm') ?? value
  if (passed < MINUTE) return services.text('time.now')
  if (passed < HOUR) return services.text('time.minutesAgo', { n: Math.floor(passed / MINUTE) })
  if (passed < DAY) return services.text('time.hoursAgo', { n: Math.floor(passed / HOUR) })
  if (passed <= 30 * DAY) return services.text('time.daysAgo', { n: Math.floor(passed / DAY) })
  return formatDate(then, 'YYYY-MM-DD') ?? value
}

function days(value: Json, services: TextServices): Json {
  if (typeof value !== 'string') return value
  const day = formatDate(asWallClock(value, services.offsetMinutes), 'YYYY-MM-DD')
  const today = wallClock(services.now, services.offsetMinutes).slice(0, 10)
  const distance = day === null ? null : wallClockDistance(today, day)
  return distance === null ? value : distance / DAY
}

function mask(text: string): string {
  const characters = [...text]
  if (characters.length <= 1) return text
  if (/^[+\d][\d -]{5,}$/.test(text)) {
    const visible = characters.length >= 11 ? 4 : 2
    const head = characters.length >= 11 ? 3 : 2
    return `${text.slice(0, head)}****${text.slice(-visible)}`
  }
  if (characters.length === 2) return `${characters[0]}*`
  return `${characters[0]}${'*'.repeat(Math.min(4, characters.length - 2))}${characters.at(-1)}`
}

function partOf(value: Json, key: string): Json {
  if (Array.isArray(value)) return value.map((item) => partOf(item, key))
  return isObject(value) ? (ownValue(value, key) ?? null) : value
}
