/** The database cannot do this now: it is away, or busy for longer than a caller is kept waiting. Asked again later, it may. */
export class DatabaseUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`the database is not available: ${why}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * Classes and codes of PostgreSQL: connection lost, too many sessions, told to stop, starting or stopping, and our own limits (a
 * statement, a lock, an idle transaction that took too long).
 */
const SQL_STATES = /^(?:08...|53300|57P0[1-5]|57014|55P03|25P0[34])$/
/** What the driver says, which has no codes for it. */
const WORDS = /connection terminated|connection error|not queryable|timeout e|client was closed/i
const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The error of a statement as callers should see it: one that says "later" becomes {@link DatabaseUnavailable}. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const isSo = SQL_STATES.test(code) || NETWORK.has(code) || (code === '' && WORDS.test(error.message))
  return isSo ? new DatabaseUnavailable(error.message, error) : error
}
