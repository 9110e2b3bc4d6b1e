import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'
import { createTableSum, type TableSum } from './archive.ts'

/**
 * Not part of a backup: migrations run again, pieces of files are saved as files, and the change log for clients counts transactions of one server
 * only (a restored database makes clients start over, `crm_life`).
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['schema_migration', 'file_chunk', 'sync_change'])

interface Column {
  readonly name: string
  readonly type: string
  /** Numbered automatically; the counter continues after the largest number. */
  readonly isIdentity: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

/** The tables of the product with the columns that are stored, not computed. */
export async function tablesOf(trx: Trx): Promise<readonly Table[]> {
  const { rows } = await sql<{ name: string; columns: readonly Column[] }>`
    select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'isIdentity', a.attidentity <> '') order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = 'public' and c.relkind = 'r' group by c.relname order by c.relname`.execute(trx)
  return rows.filter(({ name }) => !LEFT_OUT.has(name))
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Settings for the text form of values, the same on every server. */
export async function settleTexts(trx: Trx): Promise<void> {
  for (const [name, value] of [
    ['timezone', 'UTC'],
    ['datestyle', 'ISO, YMD'],
    ['intervalstyle', 'postgres'],
    ['extra_float_digits', '1'],
    ['bytea_output', 'hex'],
  ])
    await sql.raw(`set local ${name} = '${value}'`).execute(trx)
}

/** Approximate size of a batch of rows, in bytes. */
const BATCH_BYTES = 1024 * 1024
const MAX_ROWS = 2_000
const FIRST_ROWS = 100

/** Passes on all rows of a table in batches, each row as a JSON list of its columns as texts. */
export async function readRows(
  trx: Trx,
  { name, columns }: Table,
  onRows: (rows: readonly string[]) => Promise<void>,
): Promise<TableSum> {
  const sum = createTableSum()
  const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
  await sql
    .raw(
      `declare saved_rows no scroll cursor for select to_json(array[${texts}]::text[])::text as row from ${quoted(name)}`,
    )
    .execute(trx)
  for (let count = FIRST_ROWS; ; ) {
    const { rows } = await sql.raw<{ row: string }>(`fetch ${count} from saved_rows`).execute(trx)
    if (rows.length === 0) break
    const lines = rows.map(({ row }) => row)
    for (const line of lines) sum.add(line)
    await onRows(lines)
    const bytes = lines.reduce((all, line) => all + line.length, 0) / lines.length
    count = Math.max(1, Math.min(MAX_ROWS, Math.floor(BATCH_BYTES / bytes)))
  }
  await sql`close saved_rows`.execute(trx)
  return sum.value
}

/** Inserts rows into a table with the same columns, in any order. */
export async function writeRows(trx: Trx, { name, columns }: Table, rows: readonly string[]): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map(({ type }, at) => `(v ->> ${at})::${type}`).join(', ')
  const into = `insert into ${quoted(name)} (${names}) overriding system value select ${values}`
  await sql`${sql.raw(into)} from (select r::jsonb as v from unnest(${rows}::text[]) r offset 0) taken`.execute(
    trx,
  )
}
