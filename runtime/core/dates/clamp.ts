import { type Day, daysInMonth } from './day.ts'
import { orderRange } from './range.ts'

/** Bounds in wire form: `2026-01-05`, with or without ` 08:30:00`. */
export interface MomentBounds {
  readonly start?: string | undefined
  readonly end?: string | undefined
}

/** Years a date field offers when the page sets no bounds (spec §9). */
export const FIRST_YEAR = 1920
export const LAST_YEAR = 2120

/**
 * Brings a moment into its bounds (PLATFORM 7.7): earlier than `start` becomes the start's day with its time or midnight, later
 * than `end` the end's day and time; an end without a time lasts until 23:59:59.
 *
 * @param moment  `2026-01-05 08:30:00`
 */
export function clampMoment(moment: string, { start, end }: MomentBounds): string {
  const from = start === undefined ? undefined : withTime(start, '00:00:00')
  const to = end === undefined ? undefined : withTime(end, '23:59:59')
  if (from !== undefined && moment < from) return from
  return to !== undefined && moment > to ? to : moment
}

/** Both sides into the bounds; a missing side is the other one; swapped when the start is later. Null when both are missing. */
export function clampRange(
  [from, to]: readonly [string, string],
  bounds: MomentBounds,
): readonly [string, string] | null {
  if (from === '' && to === '') return null
  return orderRange(clampMoment(from || to, bounds), clampMoment(to || from, bounds))
}

/** A day beyond the month's length becomes its last (spec §5). */
export function clampDay({ year, month, day }: Day): Day {
  return { year, month, day: Math.max(1, Math.min(day, daysInMonth(year, month))) }
}

const withTime = (text: string, time: string): string => (text.length > 10 ? text : `${text} ${time}`)
