import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'
import type { Tables } from '../../kernel/db/tables.ts'

/** Rows per statement; all rows of a statement are one JSON parameter. */
const CHUNK = 500

/** The row type of a table. The schema is needed because `record` alone is a built-in type of PostgreSQL. */
const rowOf = (table: string) => sql.table(`public.${table}`)

/** Inserts many rows into a table quickly. Columns that no row has keep their defaults. */
export async function bulkInsert(trx: Trx, table: keyof Tables, rows: readonly object[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const list = sql.join(columns.map((column) => sql.ref(column)))
  for (let from = 0; from < rows.length; from += CHUNK) {
    const json = JSON.stringify(rows.slice(from, from + CHUNK))
    await sql`insert into ${sql.table(table)} (${list})
      select ${list} from jsonb_populate_recordset(null::${rowOf(table)}, ${json}::jsonb)`.execute(trx)
  }
}
