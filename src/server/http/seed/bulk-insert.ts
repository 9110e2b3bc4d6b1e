import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'
import type { Tables } from '../../kernel/db/tables.ts'

/** Rows per statement: one JSON parameter each. */
const CHUNK = 500

/** The type of a table's rows; `record` alone is a type of PostgreSQL’s own. */
const rowOf = (table: string) => sql.table(`public.${table}`)

/** Inserts many rows of a table quickly; columns that no row names keep their defaults. */
export async function bulkInsert(trx: Trx, table: keyof Tables, rows: readonly object[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const list = sql.join(columns.map((column) => sql.ref(column)))
  for (let from = 0; from < rows.length; from += CHUNK) {
    const json = JSON.stringify(rows.slice(from, from + CHUNK))
    await sql`insert into ${sql.table(table)} (${list})
      select ${list} from jsonb_populate_recordset(null::${rowOf(table)}, ${json}::jsonb)`.execute(trx)
  }
}
