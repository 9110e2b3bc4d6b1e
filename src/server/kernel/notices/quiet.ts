import { instantOf, startOfDay, wallTimeOf } from '../time/zone.ts'

/** A person's quiet hours, as `HH:mm`; 21:00 to 08:00 extends past midnight. */
export interface QuietHours {
  readonly quiet: boolean
  readonly quiet_from: string
  readonly quiet_to: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** When a current message may be shown: now, or at the end of the running quiet hours. */
export function shownAt(hours: QuietHours, now: Date, zone: string): Date {
  const wall = wallTimeOf(now, zone)
  const minute = Math.floor((wall - startOfDay(wall)) / MINUTE_MS)
  const from = minuteOf(hours.quiet_from)
  const to = minuteOf(hours.quiet_to)
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const since = (minute - from + DAY_MINUTES) % DAY_MINUTES
  if (!hours.quiet || since >= length) return now
  const days = minute >= to ? 1 : 0
  return instantOf(startOfDay(wall, days) + to * MINUTE_MS, zone)
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
