import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Updates the planner statistics of PGlite, which has no autovacuum; plans made for empty
 * tables take a hundred times as long. PostgreSQL does this by itself.
 *
 * @returns 1 if it was done
 */
export async function analyse(database: Database): Promise<number> {
  if (database.kind !== 'pglite') return 0
  await database.owner((trx) => sql`analyze`.execute(trx))
  return 1
}
