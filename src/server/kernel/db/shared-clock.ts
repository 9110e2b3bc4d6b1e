import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** The time of the installation. */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  stop(): void
}

const AGAIN_MS = 30_000
/** The machine's own clock may be this far off before it is worth a word. */
const WORTH_A_WORD_MS = 5_000

export interface SharedClockParts {
  /** Hears that the machine's clock is off, in milliseconds; once until it is right again. */
  readonly onDrift: (ms: number) => void
  readonly onError: (error: unknown) => void
  /** Between two looks at the database's clock. Default: 30 s. */
  readonly everyMs?: number
}

/**
 * The clock of the database, which all servers share: whatever a machine's own clock does, the servers agree on what is late and what is
 * over. Between two looks it goes on by a clock that is never set.
 */
export async function startSharedClock(
  database: Database,
  { onDrift, onError, everyMs = AGAIN_MS }: SharedClockParts,
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

/** How far the database's clock is ahead of this process's, which began at 0. */
async function aheadOf(database: Database): Promise<number> {
  return database.system(async (trx) => {
    const asked = performance.now()
    const { rows } = await sql<{
      at: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(trx)
    const answered = performance.now()
    return (rows[0]?.at ?? Date.now()) - (asked + answered) / 2
  })
}
