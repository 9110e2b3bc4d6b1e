/** Names of repeated statements, the same for all sessions: under its name a session keeps a statement parsed and planned. */
export interface StatementNames {
  /** The name of a statement, or undefined until it is known to repeat. */
  nameOf(text: string): string | undefined
}

/** Number of executions after which a statement gets a name. */
const OFTEN = 2
/** Maximum number of remembered statements; those used longest ago are dropped, half of them at once. */
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
  // Statements used lately, and those used before them: to note each use in an order would hash their long texts three times.
  let recent = new Map<string, Known>()
  let older = new Map<string, Known>()
  let count = 0
  const keep = (text: string, one: Known): Known => {
    if (recent.size >= Math.ceil(remembered / 2)) {
      older = recent
      recent = new Map()
    }
    recent.set(text, one)
    return one
  }
  const create = (text: string): Known => ({
    name: text.includes(NEVER_PREPARED) ? undefined : `s${++count}`,
    times: 0,
  })
  return {
    nameOf(text) {
      const found = recent.get(text) ?? keep(text, older.get(text) ?? create(text))
      found.times += 1
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
