import type { Database, Trx } from '../db/database.ts'
import { dayText, startOfDay, type WallTime } from '../time/zone.ts'

/** One run of a job for one tenant, in a transaction of that tenant. */
export interface JobRun {
  readonly trx: Trx
  readonly tenantId: string
  readonly now: Date
  readonly zone: string
}

/** When a job is due: the time slot of the tenant's clock, or null if it has none yet. Later slots sort after earlier ones. */
export type Schedule = (wall: WallTime) => string | null

/** A job that runs once per slot and tenant, however many servers there are. */
export interface TenantJob {
  readonly name: string
  readonly schedule: Schedule
  /** Another job that must finish the same slot first; until then this one waits for the next check. */
  readonly after?: TenantJob
  /** @returns the number of items created; another run in the same slot creates nothing */
  readonly run: (turn: JobRun) => Promise<number>
}

/** A job that iterates over the tenants by itself and excludes other servers with locks of its own. */
export interface GlobalJob {
  readonly name: string
  readonly everyMs: number
  readonly runAll: (database: Database, at: number) => Promise<number>
}

export type Job = TenantJob | GlobalJob

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Interval in minutes of the tenant's clock; a divisor of 60. */
export function every(minutes: number): Schedule {
  return (wall) =>
    new Date(Math.floor(wall / (minutes * MINUTE_MS)) * minutes * MINUTE_MS).toISOString().slice(0, 16)
}

/** Once a day from this time on; a server that starts later catches up on the same day. */
export function daily(time: string): Schedule {
  return (wall) => (wall - startOfDay(wall) >= msOf(time) ? dayText(wall) : null)
}

/** Once a week from Monday at this time on. */
export function weekly(time: string): Schedule {
  return (wall) => {
    const monday = startOfDay(wall, -((new Date(wall).getUTCDay() + 6) % 7))
    return wall - monday >= msOf(time) && wall - monday < 7 * DAY_MS ? dayText(monday) : null
  }
}

function msOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return (hour * 60 + minute) * MINUTE_MS
}
