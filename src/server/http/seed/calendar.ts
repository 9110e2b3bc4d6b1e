import { instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import type { Chance } from './random.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Working hours around the time of seeding, in the tenant's time zone. */
export interface Calendar {
  readonly now: Date
  /** A working hour about `days` ago (fractions allowed), never later than now. */
  ago(days: number): Date
  /** A working hour `days` ahead; 0 is later today or tomorrow morning. */
  ahead(days: number): Date
  /** The date `days` ago as `yyyy-MM-dd` (negative: in the future). */
  day(daysAgo: number): string
}

/** @param zone tenant time zone */
export function createCalendar(now: Date, zone: string, chance: Chance): Calendar {
  const wallNow = wallTimeOf(now, zone)
  const workingHour = () => Math.round((9 + chance.next() * 9) * 4) / 4
  const onDay = (daysFromToday: number) => {
    const day = startOfDay(wallNow, daysFromToday)
    const weekday = new Date(day).getUTCDay()
    const shift = weekday === 6 ? -1 : weekday === 0 ? -2 : 0
    return instantOf(startOfDay(day, shift) + workingHour() * HOUR_MS, zone)
  }
  return {
    now,
    ago(days) {
      const at = onDay(-Math.floor(days))
      const latest = now.getTime() - chance.int(5, 180) * 60_000
      return new Date(Math.min(at.getTime(), latest))
    },
    ahead(days) {
      const at = instantOf(startOfDay(wallNow, days) + workingHour() * HOUR_MS, zone)
      return at > now ? at : new Date(Math.ceil((now.getTime() + HOUR_MS) / HOUR_MS) * HOUR_MS)
    },
    day: (daysAgo) => new Date(startOfDay(wallNow, -daysAgo)).toISOString().slice(0, 10),
  }
}

/** Days between two times, with fraction. */
export function daysBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / DAY_MS
}
