import { DatabaseError } from 'pg'

/** The database cannot do this now: it is unreachable, or busy for longer than a caller waits. A retry may succeed. */
export class DatabaseUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the database is not available: ${reason}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * Classes and codes of PostgreSQL that end a statement but not its session: too many sessions, cancelled, and our own limits (a statement, a lock or
 * an idle transaction that took too long).
 */
const SQL_STATES = /^(?:08...|53300|57P0[1-5]|57014|55P03|25P0[34])$/
/** Messages with which PostgreSQL ends the session, whatever the code: it starts, stops, or has crashed. */
const ENDS: ReadonlySet<string | undefined> = new Set(['FATAL', 'PANIC'])
/** Messages of the driver, which has no codes for these errors. */
const WORDS =
  /connection terminated|connection error|not queryable|timeout e|client was closed|received unexpected/i

/**
 * The error of a statement as callers should see it: a temporary one becomes {@link DatabaseUnavailable}. So does every system error of a connection:
 * a refused address, or a missing socket file while the database restarts.
 */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const isSo =
    error instanceof DatabaseError
      ? SQL_STATES.test(error.code ?? '') || ENDS.has(error.severity)
      : 'syscall' in error || isOfStream(error) || WORDS.test(error.message)
  return isSo ? new DatabaseUnavailable(error.message, error) : error
}

const isOfStream = (error: Error): boolean =>
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:ERR_STREAM_|ERR_SOCKET_|EPIPE$|E\w+RESET$)/.test(error.code)

/** True if the database is running but reports that it does not accept sessions yet (`cannot_connect_now`). */
export const isStarting = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.cause instanceof DatabaseError && error.cause.code === '57P03'
