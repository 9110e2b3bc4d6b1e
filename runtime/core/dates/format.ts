import { dateFields, writeFields } from './written-date.ts'

/** Dates and times on the wire: wall-clock texts in the tenant's zone. */
export const WIRE = { date: 'YYYY-MM-DD', dateTime: 'YYYY-MM-DD HH:mm:ss' } as const

/** Zone of a tenant that names none: Asia/Shanghai, which has no daylight saving. */
export const DEFAULT_OFFSET_MINUTES = 480

/**
 * A wall-clock text (`2026-01-31 08:05:00`, also with `T` or `/`, with or without seconds or time) in another pattern.
 *
 * @returns null when `text` is no such date; nothing is moved between time zones
 */
export function formatDate(text: string, pattern: string): string | null {
  const fields = readWall(text)
  return fields === null ? null : writeFields(fields, pattern)
}

/** The wall clock of an instant (ms since the epoch) in a zone, in wire form. */
export function wallClock(instant: number, offsetMinutes: number = DEFAULT_OFFSET_MINUTES): string {
  return new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Milliseconds from one wall-clock text to another; null when either is no date. */
export function wallClockDistance(from: string, to: string): number | null {
  const start = readWall(from)
  const end = readWall(to)
  return start === null || end === null ? null : end - start
}

/** The wall-clock text of an ISO instant (`…Z`, `…+08:00`) in a zone; a text without a zone is one already. */
export function asWallClock(text: string, offsetMinutes: number = DEFAULT_OFFSET_MINUTES): string {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return text
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? text : wallClock(instant, offsetMinutes)
}

const WRITTEN = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d+)?)?$/

function readWall(text: string): number | null {
  const parts = WRITTEN.exec(text.trim())
  if (parts === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  return dateFields(year, month, day, { hour, minute, second })
}
