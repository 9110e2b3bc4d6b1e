/** Names of statements that come again, the same for all sessions: under its name a session has a statement parsed and planned already. */
export interface StatementNames {
  /** The name of a statement, or undefined while it is not known to come again. */
  nameOf(text: string): string | undefined
}

/** A statement that came this often gets a name. */
const OFTEN = 2
/** Statements remembered; the one not asked for longest goes first. */
const REMEMBERED = 400

/**
 * Stands in a statement whose best plan hangs on its values: it never gets a name, and is planned for them each time. A plan for any values
 * is made from the sixth time on, and reads a whole table where few rows are found.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'

interface Known {
  /** Undefined: planned each time. */
  readonly name: string | undefined
  times: number
}

/** @param remembered  statements remembered at most. Default: 400 */
export function createStatementNames(remembered = REMEMBERED): StatementNames {
  const known = new Map<string, Known>()
  let made = 0
  return {
    nameOf(text) {
      const found = known.get(text) ?? {
        name: text.includes(PLANNED_EACH_TIME) ? undefined : `s${++made}`,
        times: 0,
      }
      found.times += 1
      known.delete(text)
      known.set(text, found)
      const [oldest] = known.keys()
      if (known.size > remembered && oldest !== undefined) known.delete(oldest)
      return found.times < OFTEN ? undefined : found.name
    },
  }
}

/**
 * True for a prepared statement whose table has another column now (a newer server has migrated the database under this one): what was
 * prepared must go, and asked again it is right.
 */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '0A000' &&
    error.message.includes('cached plan must not change result type')
  )
}
