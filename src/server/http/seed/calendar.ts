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
  /** A full hour of a working day about `days` ahead (negative: ago); what has begun, begins no later than now. */
  hourOn(days: number, hour: number): Date
  /** Any time as one within working hours of the same day, a weekend as Friday evening; the order of times stays. */
  working(at: Date): Date
  /** The beginning of the day `days` ago. */
  dayStart(daysAgo: number): Date
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
    hourOn(days, hour) {
      const step = days > 0 ? 1 : -1
      for (let day = days; ; day += step) {
        const start = startOfDay(wallNow, day)
        const at = instantOf(start + hour * HOUR_MS, zone)
        if (!isWeekend(start) && (days > 0 || at <= now)) return at
      }
    },
    working(at) {
      const wall = wallTimeOf(at, zone)
      const start = startOfDay(wall, 0)
      const weekday = new Date(start).getUTCDay()
      const part = (wall - start) / DAY_MS
      if (!isWeekend(start)) return instantOf(start + (9 + part * 9) * HOUR_MS, zone)
      const ofWeekend = ((weekday === 6 ? 0 : 1) + part) / 2
      return instantOf(startOfDay(start, weekday === 6 ? -1 : -2) + (18 + ofWeekend) * HOUR_MS, zone)
    },
    dayStart: (daysAgo) => instantOf(startOfDay(wallNow, -daysAgo), zone),
    day: (daysAgo) => new Date(startOfDay(wallNow, -daysAgo)).toISOString().slice(0, 10),
  }
}

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay())

/** Days between two times, with fraction. */
export function daysBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / DAY_MS
}
