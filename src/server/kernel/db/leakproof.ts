import { sql } from 'kysely'
import type { Database } from './database.ts'
import { isNotAllowed } from './not-allowed.ts'

/**
 * Functions marked leakproof so that an index can be used under row-level security (migrations 0231, 0306 and 0510 give the reasons). Marks on
 * PostgreSQL's own functions are not part of a dump, so a restored database has lost them.
 */
const WANTED = [
  'pg_catalog.arraycontains(anyarray, anyarray)',
  'pg_catalog.arrayoverlap(anyarray, anyarray)',
  'public.crm_pieces(text)',
] as const

/**
 * Restores the marks that a restore has lost, at every start.
 *
 * @param print  receives what the user of this connection may not mark, and how an administrator can
 * @throws Error if one of our functions is missing: the restore was not complete
 */
export async function markLeakproof(database: Database, print: (line: string) => void): Promise<void> {
  const { rows } = await database.owner((trx) =>
    sql<{ name: string; is_marked: boolean | null }>`select w.name, p.proleakproof as is_marked
      from unnest(${[...WANTED]}::text[]) as w (name) left join pg_proc p on p.oid = to_regprocedure(w.name)`.execute(
      trx,
    ),
  )
  for (const { name, is_marked } of rows) {
    if (is_marked === null) throw new Error(`the function ${name} is missing: was the restore complete?`)
    if (is_marked) continue
    const statement = `alter function ${name} leakproof`
    try {
      await database.owner((trx) => sql.raw(statement).execute(trx))
    } catch (error) {
      if (!isNotAllowed(error)) throw error
      print(`searches read whole tables until an administrator of the database runs: ${statement}`)
    }
  }
}
