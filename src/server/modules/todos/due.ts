import type { TodoRepeat, TodoSection } from '../../../contract/todo.ts'
import { instantOf, startOfDay, type WallTime, wallTimeOf } from '../../kernel/time/zone.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** The reminder time for a whole day, and the lead time before a time of day (DOMAIN 1.11). */
const REMIND_DAY_AT_MS = 9 * HOUR_MS
const REMIND_BEFORE_MS = 15 * MINUTE_MS

/** A due date: a moment, or the last millisecond of a day. */
export interface Due {
  readonly at: Date
  readonly allDay: boolean
}

/** A day in the tenant's time zone as a due date. */
export function dueOnDay(day: WallTime, zone: string): Due {
  return { at: new Date(instantOf(startOfDay(day, 1), zone).getTime() - 1), allDay: true }
}

/** A stored due date; the last millisecond of a day stands for the whole day. */
export function dueAt(at: Date, zone: string): Due {
  const wall = wallTimeOf(at, zone)
  return { at, allDay: startOfDay(wall + 1) > wall }
}

/** The default reminder: 15 minutes before, or 09:00 on the day. */
export function defaultReminder({ at, allDay }: Due, zone: string): Date {
  if (!allDay) return new Date(at.getTime() - REMIND_BEFORE_MS)
  return instantOf(startOfDay(wallTimeOf(at, zone)) + REMIND_DAY_AT_MS, zone)
}

/** The earliest reminder in the future; null if there is none. */
export function nextReminder(remindAt: readonly Date[], now: Date): Date | null {
  const ahead = remindAt.filter((at) => at > now).sort((a, b) => a.getTime() - b.getTime())
  return ahead[0] ?? null
}

/** What all to-dos of a series share: the day of the month it began on, and the time of day, in the tenant's time zone. */
export interface Anchor {
  readonly day: number
  readonly timeMs: number
}

/** The anchor of a series that begins on this date. */
export function anchorOf({ at }: Due, zone: string): Anchor {
  const wall = wallTimeOf(at, zone)
  return { day: new Date(wall).getUTCDate(), timeMs: wall - startOfDay(wall) }
}

/**
 * The next future date of a repeating to-do. A month without the day uses its last day. A time that a change of the clocks skips moves forward by the
 * length of the gap.
 */
export function nextDue(
  due: Due,
  repeat: Exclude<TodoRepeat, 'none'>,
  anchor: Anchor,
  { now, zone }: { now: Date; zone: string },
): Due {
  const first = startOfDay(wallTimeOf(due.at, zone))
  for (let step = 1; ; step++) {
    const day = shifted(first, repeat, step, anchor.day)
    const next = due.allDay
      ? dueOnDay(day, zone)
      : { at: instantOf(day + anchor.timeMs, zone), allDay: false }
    if (next.at > now) return next
  }
}

/** The day `step` times later. */
function shifted(
  day: WallTime,
  repeat: Exclude<TodoRepeat, 'none'>,
  step: number,
  anchorDay: number,
): WallTime {
  if (repeat === 'day') return startOfDay(day, step)
  if (repeat === 'week') return startOfDay(day, step * 7)
  const date = new Date(day)
  const month = date.getUTCMonth() + step
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear(), month, Math.min(anchorDay, last))
}

/** The reminder of the next to-do of a series, with the same distance to the due date in the tenant's time zone. */
export function reminderLike(reminder: Date, before: Due, next: Due, zone: string): Date {
  const lead = wallTimeOf(before.at, zone) - wallTimeOf(reminder, zone)
  return instantOf(wallTimeOf(next.at, zone) - lead, zone)
}

/** The ways to postpone a to-do (DOMAIN 1.11). */
export const SNOOZES = ['hour', 'tomorrow', 'week'] as const
export type Snooze = (typeof SNOOZES)[number]

/**
 * The new due date of a postponed to-do: one hour later, the next day, or Monday of the next week. Counted from now, or from its due date if that is
 * later, so that it never becomes due earlier.
 */
export function snoozed(due: Due, snooze: Snooze, { now, zone }: { now: Date; zone: string }): Due {
  const isAhead = due.at >= instantOf(startOfDay(wallTimeOf(now, zone), 1), zone)
  if (snooze === 'hour') {
    const reminderAt = due.allDay && isAhead ? defaultReminder(due, zone) : due.at
    const from = due.allDay && !isAhead ? now.getTime() : Math.max(now.getTime(), reminderAt.getTime())
    return { at: new Date(from + HOUR_MS), allDay: false }
  }
  const today = startOfDay(wallTimeOf(isAhead ? due.at : now, zone))
  const toMonday = 7 - ((new Date(today).getUTCDay() + 6) % 7)
  const day = startOfDay(today, snooze === 'tomorrow' ? 1 : toMonday)
  if (due.allDay) return dueOnDay(day, zone)
  const wall = wallTimeOf(due.at, zone)
  return { at: instantOf(day + (wall - startOfDay(wall)), zone), allDay: false }
}

/** The ends of the sections in the tenant's time zone: 7天内 ends with the seventh day from today. */
export function sectionEnds({ now, zone }: { now: Date; zone: string }) {
  const today = startOfDay(wallTimeOf(now, zone))
  const end = (days: number) => instantOf(startOfDay(today, days), zone)
  return { today: end(1), tomorrow: end(2), week: end(7) }
}

/** The section of a to-do. */
export function sectionOf(
  todo: { status: number; due_at: Date },
  at: { now: Date; zone: string },
): TodoSection {
  if (todo.status !== 0) return 'done'
  const ends = sectionEnds(at)
  if (todo.due_at < at.now) return 'overdue'
  if (todo.due_at < ends.today) return 'today'
  if (todo.due_at < ends.tomorrow) return 'tomorrow'
  return todo.due_at < ends.week ? 'week' : 'later'
}
