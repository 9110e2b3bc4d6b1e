import { DatabaseError } from 'pg'

/** The database cannot do this now: it is away, or busy for longer than a caller is kept waiting. Asked again later, it may. */
export class DatabaseUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`the database is not available: ${why}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * Classes and codes of PostgreSQL that end a statement and not its session: too many sessions, told to stop, and our own limits (a
 * statement, a lock, an idle transaction that took too long).
 */
const SQL_STATES = /^(?:08...|53300|57P0[1-5]|57014|55P03|25P0[34])$/
/** With these words PostgreSQL ends the session, whatever the code: it starts, stops, or has crashed. */
const ENDS: ReadonlySet<string | undefined> = new Set(['FATAL', 'PANIC'])
/** What the driver says, which has no codes for it. */
const WORDS =
  /connection terminated|connection error|not queryable|timeout e|client was closed|received unexpected/i

/**
 * The error of a statement as callers should see it: one that says "later" becomes {@link DatabaseUnavailable}. What the system says of a
 * connection is that, too, whatever it is: an address that refuses, a socket whose file is not there while the database starts again.
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

/** True when the database is there and says that it does not take sessions yet (`cannot_connect_now`). */
export const isStarting = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.cause instanceof DatabaseError && error.cause.code === '57P03'
