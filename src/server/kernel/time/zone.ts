const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const fresh = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, fresh)
  return fresh
}

/**
 * Local time in a zone, as the number of milliseconds that `Date.UTC` returns for the same reading: days and months can then be computed with the UTC
 * methods of `Date`.
 */
export type WallTime = number

/** The local time in `zone` at `instant`. */
export function wallTimeOf(instant: Date, zone: string): WallTime {
  const at = instant.getTime()
  return at + (offsetOfDay(at, zone) ?? offsetAt(at, zone))
}

const DAY_MS = 86_400_000
/** Number of days per zone whose offset is cached; calling `Intl` takes longer than everything else needed to format a time. */
const MAX_DAYS = 4000

const offsets = new Map<string, Map<number, number | null>>()

/** The offset of a zone from UTC during a whole day of UTC, in milliseconds; null on a day with a clock change. */
function offsetOfDay(instant: number, zone: string): number | null {
  const day = Math.floor(instant / DAY_MS)
  const days = offsets.get(zone) ?? new Map<number, number | null>()
  const known = days.get(day)
  if (known !== undefined) return known
  const begin = offsetAt(day * DAY_MS, zone)
  const isSteady = begin === offsetAt((day + 1) * DAY_MS - 1, zone)
  if (days.size >= MAX_DAYS) days.clear()
  offsets.set(zone, days.set(day, isSteady ? begin : null))
  return isSteady ? begin : null
}

function offsetAt(instant: number, zone: string): number {
  const at = new Date(instant)
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map((part) => [part.type, Number(part.value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second, at.getUTCMilliseconds()) - instant
}

/** The instant at which local time in `zone` is `wall`; if a clock change skips it, the instant equally long after the gap. */
export function instantOf(wall: WallTime, zone: string): Date {
  const ahead = (instant: number) => wallTimeOf(new Date(instant), zone) - instant
  const guess = wall - ahead(wall)
  const instant = wall - ahead(guess)
  const isGap = ahead(instant) !== wall - instant
  return new Date(isGap ? Math.max(guess, instant) : instant)
}

/** Midnight of the day of `wall`, `days` later. */
export function startOfDay(wall: WallTime, days = 0): WallTime {
  const day = new Date(wall)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + days)
}

/** `yyyy-MM-dd` of a local time. */
export function dayText(wall: WallTime): string {
  return new Date(wall).toISOString().slice(0, 10)
}

/** `yyyy-MM-dd HH:mm:ss`, the wire format of a time in the tenant's zone (DOMAIN 1). */
export function dateTimeText(instant: Date, zone: string): string {
  const wall = new Date(wallTimeOf(instant, zone))
  const year = String(wall.getUTCFullYear()).padStart(4, '0')
  return `${year}-${two(wall.getUTCMonth() + 1)}-${two(wall.getUTCDate())} ${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`
}

/** `yyyy-MM-dd HH:mm`, the format of a time in texts. */
export const minuteText = (instant: Date, zone: string): string => dateTimeText(instant, zone).slice(0, 16)

/** Looked up in a table, because times occur in every cell of every list. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, at) => String(at).padStart(2, '0'))
const two = (value: number): string => TWO_DIGITS[value] ?? String(value)

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * The range of meaningful days: the database, and every calculation with them, can represent these. An open end is stored as the last day of 9999.
 */
const FIRST_YEAR = 1900
const LAST_WALL: WallTime = Date.UTC(10_000, 0, 1) - 1
/** The range of times, which describe events that happened or are planned. */
const LAST_MOMENT: WallTime = Date.UTC(3000, 0, 1) - 1

/** True for a local time after the last day that can be stored. */
export function isBeyondDays(wall: WallTime): boolean {
  return wall > LAST_WALL
}

/** Parses `yyyy-MM-dd[ HH:mm[:ss]]` of the years 1900 to 9999; null for anything else and for days that do not exist. */
export function parseWallTime(text: string): WallTime | null {
  const match = DATE_TIME.exec(text)
  if (match === null) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((it) => Number(it ?? 0))
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(wall)
  const exists =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  // JavaScript interprets the years 0 to 99 as 1900 to 1999.
  return exists && year >= FIRST_YEAR ? wall : null
}

/** Parses a date-time of the years 1900 to 2999 in the tenant's zone; null if it is not one. */
export function parseDateTime(text: string, zone: string): Date | null {
  const wall = parseWallTime(text)
  return wall === null || wall > LAST_MOMENT ? null : instantOf(wall, zone)
}
