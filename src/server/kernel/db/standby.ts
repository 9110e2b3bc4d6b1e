import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectionSource } from './connection.ts'
import { createShares, type ShareSizes, type Shares } from './shares.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** A standby of the database that answers reads and sees everything the database had on disk at the time of the call. */
export interface Standby {
  readonly source: ConnectionSource
  readonly shares: Shares
  /**
   * True once it has everything that was on the database's disk at this call; false if that takes too long or it is unavailable: then the database is
   * used.
   */
  isCurrent(): Promise<boolean>
  /** Reports the result of a transaction there. @returns true if the database should be used instead */
  hasFailed(error: unknown): boolean
  /** The number of calls it answered, and of those that the database answered in its place. */
  counts(): { readonly standby: number; readonly database: number }
  close(): Promise<void>
}

/** Maximum time a call waits for the standby to catch up. */
const WAIT_MS = 50
/** Interval between two readings of its position. */
const POLL_INTERVAL_MS = 2
/** A standby that was behind or unavailable is not used for a while, so that few calls wait. */
const REST_MS = 1_000

/** Its position in bytes of the log, and its timeline: a standby that follows another server has other data, whatever its position. */
interface Position {
  readonly history: string
  /** Null: it is not a standby. */
  readonly at: number | null
}
const SYSTEM = '(select system_identifier from pg_control_system())'
/** That is, of acknowledged commits: only notes of who looked at what are written to disk later. */
const WRITTEN = `select concat(${SYSTEM}, '/', ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int) as history,
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as at`
const REPLAYED = `select concat(${SYSTEM}, '/', (select timeline_id from pg_control_checkpoint())) as history,
  case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 end as at`

interface StandbyParts {
  /** Separate sessions for the position of the database, so that reading it does not wait for calls. */
  readonly positions: ConnectionSource
  readonly source: ConnectionSource
  readonly shares: ShareSizes
  /** Told why it is not used, once until it is used again. */
  readonly onError: (error: Error) => void
}

export function createStandby({ positions, source, shares, onError }: StandbyParts): Standby {
  const written = shared(() => positionOf(positions, WRITTEN))
  const replayed = shared(() => positionOf(source, REPLAYED))
  const counts = { standby: 0, database: 0 }
  let restsUntil = 0
  let isReported = false
  const rest = (error: Error): void => {
    restsUntil = performance.now() + REST_MS
    if (!isReported) onError(error)
    isReported = true
  }
  const reach = async (late: AbortSignal): Promise<boolean> => {
    const wanted = await written()
    while (!late.aborted) {
      const { history, at } = await replayed()
      if (at === null) throw new Error('it is no standby: it takes writes itself')
      if (history !== wanted.history)
        throw new Error('it follows another database, or another history of this one')
      if (at >= (wanted.at ?? 0)) return true
      await pause(POLL_INTERVAL_MS)
    }
    return false
  }
  const look = async (): Promise<boolean> => {
    const late = new AbortController()
    const patience = new AbortController()
    try {
      const reached = reach(late.signal)
      const over = pause(WAIT_MS, false, { signal: patience.signal })
      reached.catch(() => undefined)
      over.catch(() => undefined)
      const isThere = await Promise.race([reached, over])
      if (!isThere) rest(new Error(`it is more than ${WAIT_MS} ms behind`))
      else isReported = false
      return isThere
    } catch (error) {
      rest(error as Error)
      return false
    } finally {
      late.abort()
      patience.abort()
    }
  }
  return {
    source,
    shares: createShares(shares),
    async isCurrent() {
      const isIt = performance.now() >= restsUntil && (await look())
      counts[isIt ? 'standby' : 'database'] += 1
      return isIt
    },
    hasFailed(error) {
      const isOfDatabase = error instanceof DatabaseUnavailable || isState(error)
      if (!isOfDatabase) return false
      counts.standby -= 1
      counts.database += 1
      // A statement that the standby cancelled says nothing about the next one.
      if (error instanceof DatabaseUnavailable) rest(error)
      else if (!isConflict(error)) onError(error as Error)
      return true
    },
    counts: () => ({ ...counts }),
    close: async () => void (await Promise.all([positions.close(), source.close()])),
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)
const isState = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(String(codeOf(error) ?? ''))
/** Rows it was reading were removed, because the database removed them. */
const isConflict = (error: unknown): boolean => codeOf(error) === '40001'

/** A caller that arrives while the position is being read gets the next reading, so that no answer is older than its call. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= running.then(() => {
      const answer = ask()
      next = null
      running = answer.catch(() => undefined)
      return answer
    })
    return next
  }
}

async function positionOf(source: ConnectionSource, statement: string): Promise<Position> {
  const session = await source.acquire()
  try {
    const { rows } = await session.query(statement, [])
    return rows[0] as Position
  } finally {
    session.release()
  }
}
