import { sql } from 'kysely'
import { refuseUnsafe } from '../../kernel/db/catalogue.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { markLeakproof } from '../../kernel/db/leakproof.ts'
import { checksumOf, MIGRATIONS, type Migrations, migrate, runMigrations } from '../../kernel/db/migrate.ts'
import { type FileHead, type Header, type TableHead, type TableSum, UnusableArchive } from './archive.ts'
import { type ArchiveRead, readArchive } from './read-archive.ts'
import { quoted, readRows, settleTexts, type Table, tablesOf, writeRows } from './rows.ts'

/** Stores one file of the backup, inside the transaction that restores the rows. */
export type StoreFile = (trx: Trx, file: FileHead, content: Buffer) => Promise<void>

export interface RestoreParts {
  readonly database: Database
  /** The backup's frames, decrypted and unpacked. */
  readonly source: AsyncIterable<Buffer>
  readonly keepFile: StoreFile
  /** Receives the progress. */
  readonly print: (line: string) => void
}

export interface Restored extends ArchiveRead {
  /** Migrations newer than the backup, which ran afterwards. */
  readonly ran: readonly string[]
}

/**
 * Restores a backup into an empty database: the schema of that time, the rows, then newer migrations. One transaction writes all rows, reads them
 * again and compares: after any error the database is empty as before.
 *
 * @throws UnusableArchive with a sentence if the backup cannot be used; Error if the database is not empty
 */
export async function restore({ database, source, keepFile, print }: RestoreParts): Promise<Restored> {
  const read = await database.owner(async (trx) => {
    await refuseFilled(trx)
    return fill(trx, { source, keepFile, print })
  })
  const ran = await migrate(database, MIGRATIONS, print)
  await refuseUnsafe(database)
  await markLeakproof(database, print)
  await database.owner(async (trx) => {
    await sql.raw(NEW_LIFE(newId())).execute(trx)
    // The servers of the original installation do not run here.
    await asSystem(trx, () => sql`delete from server_seen`.execute(trx))
    await sql`analyze`.execute(trx)
  })
  return { ...read, ran }
}

/** Clients with a copy of the data start over (migration 0570). */
const NEW_LIFE = (id: string): string =>
  `create or replace function crm_life() returns text language sql stable as $$ select '${id}' $$`

/** @throws Error if the database contains anything */
async function refuseFilled(trx: Trx): Promise<void> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm') order by 1 limit 1`.execute(trx)
  const [first] = rows
  if (first === undefined) return
  throw new Error(
    `the database is not empty (it has the table ${first.name}): a backup goes into an empty one only; nothing was changed`,
  )
}

async function fill(
  trx: Trx,
  { source, keepFile, print }: Omit<RestoreParts, 'database'>,
): Promise<ArchiveRead> {
  const createdTables = new Map<string, Table>()
  let references: readonly string[] = []
  let current: Table | null = null
  const read = await readArchive(source, {
    async header(header) {
      print(`a backup of ${header.made}, from ${header.from}`)
      await runMigrations(trx, migrationsOf(header), print)
      for (const table of await tablesOf(trx)) createdTables.set(table.name, table)
      references = await takeReferences(trx)
      await switchTriggers(trx, createdTables.values(), 'disable')
      await sql.raw(`truncate ${[...createdTables.keys()].map(quoted).join(', ')}`).execute(trx)
      await settleTexts(trx)
    },
    table(head) {
      current = asSaved(createdTables.get(head.name), head)
      createdTables.set(head.name, current)
      print(head.name)
    },
    rows: (rows) =>
      asSystem(trx, () => (current === null ? Promise.resolve() : writeRows(trx, current, rows))),
    file: (file, content) => asSystem(trx, () => keepFile(trx, file, content)),
  })
  print('comparing what was written with the backup')
  for (const table of createdTables.values())
    await refuseDifferent(trx, table, read.summary.tables[table.name])
  for (const table of createdTables.values()) await setCounter(trx, table)
  for (const statement of references) await sql.raw(statement).execute(trx)
  await switchTriggers(trx, createdTables.values(), 'enable')
  return read
}

/** Rows are written by the role with access to all tenants; tables belong to the owner. */
async function asSystem<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`set local role crm_system`.execute(trx)
  const result = await work()
  await sql`reset role`.execute(trx)
  return result
}

/** Runs the migrations that had run at the time of the backup. @throws UnusableArchive if one of them differs in this version */
function migrationsOf({ migrations }: Header): Migrations {
  for (const { name, checksum } of migrations) {
    const mine = MIGRATIONS[name]
    if (mine === undefined || checksumOf(mine) !== checksum)
      throw new UnusableArchive(
        `the backup was made by another version, with the migration ${name}, which this one does not have: restore it with that version or a newer one`,
      )
  }
  return Object.fromEntries(migrations.map(({ name }) => [name, MIGRATIONS[name] ?? '']))
}

/** The table with the columns in the order of the backup. */
function asSaved(table: Table | undefined, { name, columns }: TableHead): Table {
  const known = new Map(table?.columns.map((column) => [column.name, column]))
  const found = columns.flatMap((column) => known.get(column) ?? [])
  if (found.length !== columns.length || found.length !== known.size)
    throw new UnusableArchive(
      `the backup is damaged: its table ${name} has other columns than its migrations make`,
    )
  return { name, columns: found }
}

/** Drops all foreign keys, so that rows may be inserted in any order. @returns the statements that restore and check them */
async function takeReferences(trx: Trx): Promise<readonly string[]> {
  const { rows } = await sql<{ place: string; name: string; definition: string }>`
    select k.conrelid::regclass::text as place, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
    where n.nspname = 'public' and k.contype = 'f' order by k.oid`.execute(trx)
  for (const { place, name } of rows)
    await sql.raw(`alter table ${place} drop constraint ${quoted(name)}`).execute(trx)
  return rows.map(
    ({ place, name, definition }) => `alter table ${place} add constraint ${quoted(name)} ${definition}`,
  )
}

/** The rows already contain the results of all triggers. */
async function switchTriggers(
  trx: Trx,
  tables: Iterable<Table>,
  action: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables)
    await sql.raw(`alter table ${quoted(name)} ${action} trigger user`).execute(trx)
}

async function refuseDifferent(trx: Trx, table: Table, expected: TableSum | undefined): Promise<void> {
  const found = await asSystem(trx, () => readRows(trx, table, async () => undefined))
  if (found.rows === (expected?.rows ?? 0) && (expected === undefined || found.sum === expected.sum)) return
  throw new Error(
    `after writing, the table ${table.name} holds ${found.rows} rows that are not the ${expected?.rows ?? 0} of the backup; nothing was kept`,
  )
}

/** Counters continue after the largest number. */
async function setCounter(trx: Trx, { name, columns }: Table): Promise<void> {
  for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
    const { rows } = await asSystem(trx, () =>
      sql
        .raw<{ last: number | null }>(`select max(${quoted(column.name)}) as last from ${quoted(name)}`)
        .execute(trx),
    )
    const last = rows[0]?.last ?? null
    if (last !== null)
      await sql`select setval(pg_get_serial_sequence(${quoted(name)}, ${column.name}), ${last}::bigint)`.execute(
        trx,
      )
  }
}
