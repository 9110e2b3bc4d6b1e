import { sql } from 'kysely'
import { refuseUnsafe } from '../../kernel/db/catalogue.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { markLeakproof } from '../../kernel/db/leakproof.ts'
import { checksumOf, MIGRATIONS, type Migrations, migrate, runMigrations } from '../../kernel/db/migrate.ts'
import { type FileHead, type Header, type TableHead, type TableSum, Unusable } from './archive.ts'
import { type ArchiveRead, readArchive } from './read-archive.ts'
import { quoted, readRows, settleTexts, type Table, tablesOf, writeRows } from './rows.ts'

/** Keeps one file of the backup, inside the transaction that restores the rows. */
export type KeepFile = (trx: Trx, file: FileHead, content: Buffer) => Promise<void>

export interface RestoreParts {
  readonly database: Database
  /** The backup's frames, decrypted and unpacked. */
  readonly source: AsyncIterable<Buffer>
  readonly keepFile: KeepFile
  /** Hears how far it is. */
  readonly say: (line: string) => void
}

export interface Restored extends ArchiveRead {
  /** Migrations newer than the backup, which ran afterwards. */
  readonly ran: readonly string[]
}

/**
 * Puts a backup into an empty database: the schema as it was, the rows, then newer migrations. One transaction writes all rows, reads them
 * again and compares: whatever goes wrong before its end, the database is empty as it was.
 *
 * @throws Unusable with a sentence when the backup cannot be used; Error when the database is not empty
 */
export async function restore({ database, source, keepFile, say }: RestoreParts): Promise<Restored> {
  const read = await database.owner(async (trx) => {
    await refuseFilled(trx)
    return fill(trx, { source, keepFile, say })
  })
  const ran = await migrate(database, MIGRATIONS, say)
  await refuseUnsafe(database)
  await markLeakproof(database, say)
  await database.owner(async (trx) => {
    await sql.raw(NEW_LIFE(newId())).execute(trx)
    // Whoever served where the backup was made does not serve here.
    await asSystem(trx, () => sql`delete from server_seen`.execute(trx))
    await sql`analyze`.execute(trx)
  })
  return { ...read, ran }
}

/** Clients that keep a copy start over (migration 0570). */
const NEW_LIFE = (id: string): string =>
  `create or replace function crm_life() returns text language sql stable as $$ select '${id}' $$`

/** @throws Error when there is anything in the database */
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
  { source, keepFile, say }: Omit<RestoreParts, 'database'>,
): Promise<ArchiveRead> {
  const made = new Map<string, Table>()
  let references: readonly string[] = []
  let current: Table | null = null
  const read = await readArchive(source, {
    async header(header) {
      say(`a backup of ${header.made}, from ${header.from}`)
      await runMigrations(trx, migrationsOf(header), say)
      for (const table of await tablesOf(trx)) made.set(table.name, table)
      references = await takeReferences(trx)
      await switchTriggers(trx, made.values(), 'disable')
      await sql.raw(`truncate ${[...made.keys()].map(quoted).join(', ')}`).execute(trx)
      await settleTexts(trx)
    },
    table(head) {
      current = asSaved(made.get(head.name), head)
      made.set(head.name, current)
      say(head.name)
    },
    rows: (rows) =>
      asSystem(trx, () => (current === null ? Promise.resolve() : writeRows(trx, current, rows))),
    file: (file, content) => asSystem(trx, () => keepFile(trx, file, content)),
  })
  say('comparing what was written with the backup')
  for (const table of made.values()) await refuseDifferent(trx, table, read.summary.tables[table.name])
  for (const table of made.values()) await setCounter(trx, table)
  for (const statement of references) await sql.raw(statement).execute(trx)
  await switchTriggers(trx, made.values(), 'enable')
  return read
}

/** Rows are written by the role that reaches all tenants; tables belong to the owner. */
async function asSystem<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`set local role crm_system`.execute(trx)
  const result = await work()
  await sql`reset role`.execute(trx)
  return result
}

/** The migrations that had run where the backup was made. @throws Unusable when this version has another idea of one of them */
function migrationsOf({ migrations }: Header): Migrations {
  for (const { name, checksum } of migrations) {
    const mine = MIGRATIONS[name]
    if (mine === undefined || checksumOf(mine) !== checksum)
      throw new Unusable(
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
    throw new Unusable(`the backup is damaged: its table ${name} has other columns than its migrations make`)
  return { name, columns: found }
}

/** Takes all foreign keys away, so that rows may come in any order. @returns what puts them back, which checks them */
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

/** Rows arrive with all that triggers once made of them. */
async function switchTriggers(trx: Trx, tables: Iterable<Table>, how: 'enable' | 'disable'): Promise<void> {
  for (const { name } of tables) await sql.raw(`alter table ${quoted(name)} ${how} trigger user`).execute(trx)
}

async function refuseDifferent(trx: Trx, table: Table, told: TableSum | undefined): Promise<void> {
  const found = await asSystem(trx, () => readRows(trx, table, async () => undefined))
  if (found.rows === (told?.rows ?? 0) && (told === undefined || found.sum === told.sum)) return
  throw new Error(
    `after writing, the table ${table.name} holds ${found.rows} rows that are not the ${told?.rows ?? 0} of the backup; nothing was kept`,
  )
}

/** Numbers that count by themselves go on behind the largest. */
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
