import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** The common time of the installation. */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  stop(): void
}

const RESYNC_MS = 30_000
/** Deviation of the machine's own clock that is not worth reporting. */
const WORTH_A_WORD_MS = 5_000

export interface SharedClockParts {
  /** Told that the machine's clock is off, in milliseconds; once until it is right again. */
  readonly onDrift: (ms: number) => void
  readonly onError: (error: unknown) => void
  /** Interval between two readings of the database's clock. Default: 30 s. */
  readonly everyMs?: number
}

/**
 * The clock of the database, which all servers share: however wrong a machine's own clock is, the servers agree on what has expired. Between two
 * readings, time advances by a monotonic clock.
 */
export async function startSharedClock(
  database: Database,
  { onDrift, onError, everyMs = RESYNC_MS }: SharedClockParts,
): Promise<SharedClock> {
  let isOff = false
  let ahead = await aheadOf(database)
  const now = (): number => Math.round(performance.now() + ahead)
  const compare = (): void => {
    const off = Date.now() - now()
    if (Math.abs(off) > WORTH_A_WORD_MS && !isOff) onDrift(off)
    isOff = Math.abs(off) > WORTH_A_WORD_MS
  }
  compare()
  const timer = setInterval(() => {
    aheadOf(database).then((found) => {
      ahead = found
      compare()
    }, onError)
  }, everyMs)
  timer.unref()
  return { now, stop: () => clearInterval(timer) }
}

/** Offset of the database's clock from this process's monotonic clock. */
async function aheadOf(database: Database): Promise<number> {
  return database.system(async (trx) => {
    const sentAt = performance.now()
    const { rows } = await sql<{
      at: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(trx)
    const answered = performance.now()
    return (rows[0]?.at ?? Date.now()) - (sentAt + answered) / 2
  })
}
