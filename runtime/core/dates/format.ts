import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'

dayjs.extend(customParseFormat)

/** Dates and times on the wire: wall-clock texts in the tenant's zone. */
export const WIRE = { date: 'YYYY-MM-DD', dateTime: 'YYYY-MM-DD HH:mm:ss' } as const

/** Zone of a tenant that names none: Asia/Shanghai, which has no daylight saving. */
const DEFAULT_OFFSET_MINUTES = 480

/** A pattern in dayjs spelling: `yyyy`/`dd` of the older documents count as `YYYY`/`DD`. */
export function normalPattern(pattern: string): string {
  return pattern
    .replace(/y+/g, (letters) => letters.toUpperCase())
    .replace(/d+/g, (letters) => letters.toUpperCase())
}

/**
 * A wall-clock text (`2026-01-31 08:05:00`, also with `T` or `/`, with or without seconds or time) in another pattern.
 *
 * @returns null when `text` is no such date; nothing is moved between time zones
 */
export function formatDate(text: string, pattern: string): string | null {
  const date = readDate(text)
  return date === null ? null : date.format(normalPattern(pattern))
}

/** The wall clock of an instant (ms since the epoch) in a zone, in wire form. */
export function wallClock(instant: number, offsetMinutes: number = DEFAULT_OFFSET_MINUTES): string {
  return new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Milliseconds from one wall-clock text to another; null when either is no date. */
export function wallClockDistance(from: string, to: string): number | null {
  const start = wallClockNumber(from)
  const end = wallClockNumber(to)
  return start === null || end === null ? null : end - start
}

/** The wall-clock text of an ISO instant (`…Z`, `…+08:00`) in a zone; a text without a zone is one already. */
export function asWallClock(text: string, offsetMinutes: number = DEFAULT_OFFSET_MINUTES): string {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return text
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? text : wallClock(instant, offsetMinutes)
}

const WRITTEN = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d+)?)?$/

function readDate(text: string): dayjs.Dayjs | null {
  const parts = WRITTEN.exec(text.trim())
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0))
  const wire = [year, month, day].map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0')).join('-')
  const time = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':')
  const date = dayjs(`${wire} ${time}`, WIRE.dateTime, true)
  return date.isValid() ? date : null
}

function wallClockNumber(text: string): number | null {
  const date = readDate(text)
  if (date === null) return null
  return Date.UTC(date.year(), date.month(), date.date(), date.hour(), date.minute(), date.second())
}
