import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Tells the planner of PGlite what the tables hold by now: it has no autovacuum, and plans made for empty
 * tables take a hundred times as long. PostgreSQL sees to that itself.
 *
 * @returns 1 when it was done
 */
export async function analyse(database: Database): Promise<number> {
  if (database.kind !== 'pglite') return 0
  await database.owner((trx) => sql`analyze`.execute(trx))
  return 1
}
