import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Functions that let an index answer under row-level security because they are marked leakproof (migrations 0231, 0306 and 0510 say why
 * they are). The mark of PostgreSQL's own is in no dump: a restored database has lost it.
 */
const WANTED = [
  'pg_catalog.arraycontains(anyarray, anyarray)',
  'pg_catalog.arrayoverlap(anyarray, anyarray)',
  'public.crm_pieces(text)',
] as const
const NOT_ALLOWED = '42501'

/**
 * Marks again what a restore has lost, at every start.
 *
 * @param say  hears what the user of this connection may not mark, and how an administrator does
 * @throws Error when one of our functions is missing: the restore was not complete
 */
export async function markLeakproof(database: Database, say: (line: string) => void): Promise<void> {
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
      if (!(error instanceof Error && 'code' in error && error.code === NOT_ALLOWED)) throw error
      say(`searches read whole tables until an administrator of the database runs: ${statement}`)
    }
  }
}
