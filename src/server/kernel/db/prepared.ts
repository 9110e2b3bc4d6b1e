/** Names of repeated statements, the same for all sessions: under its name a session keeps a statement parsed and planned. */
export interface StatementNames {
  /** The name of a statement, or undefined until it is known to repeat. */
  nameOf(text: string): string | undefined
}

/** Number of executions after which a statement gets a name. */
const OFTEN = 2
/** Maximum number of remembered statements; the least recently used one is dropped. */
const MAX_STATEMENTS = 400

/**
 * Marker in a statement whose best plan depends on its values: it never gets a name and is planned for its values each time. A generic plan, made
 * from the sixth execution on, would read a whole table where few rows match.
 */
export const NEVER_PREPARED = '/* planned each time */'

interface Known {
  /** Undefined: planned each time. */
  readonly name: string | undefined
  times: number
}

/** @param remembered  maximum number of remembered statements. Default: 400 */
export function createStatementNames(remembered = MAX_STATEMENTS): StatementNames {
  const known = new Map<string, Known>()
  let count = 0
  return {
    nameOf(text) {
      const found = known.get(text) ?? {
        name: text.includes(NEVER_PREPARED) ? undefined : `s${++count}`,
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
 * True for a prepared statement whose table has changed its columns (a newer server has migrated the database): after discarding what was prepared, a
 * retry succeeds.
 */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '0A000' &&
    error.message.includes('cached plan must not change result type')
  )
}
