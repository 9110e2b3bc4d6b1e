import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { tenantTableFaults } from './catalogue.ts'
import { storageFault } from './data-folder.ts'
import type { Database, Trx } from './database.ts'
import { isNotAllowed } from './not-allowed.ts'
import { DatabaseUnavailable } from './unavailable.ts'
import { withWayOn } from './way-on.ts'

/** File name → SQL, for example `0001-platform.sql`. */
export type Migrations = Readonly<Record<string, string>>

const FILES = import.meta.glob<string>('../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The numbered files of `src/server/kernel/migrations`. */
export const MIGRATIONS: Migrations = Object.fromEntries(
  Object.entries(FILES).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
)

/** 'crm!' as a number, the same for every server of this product. */
const LOCK = 0x63726d21

/**
 * Migrates the database: forward only, all or nothing, one server at a time.
 *
 * @returns names of the migrations that ran now
 * @throws if a migration that already ran was edited or is missing, or if a table breaks the tenant rules
 */
export async function migrate(
  database: Database,
  migrations: Migrations = MIGRATIONS,
  print: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  return database
    .owner(async (trx) => {
      const fresh = await runMigrations(trx, migrations, print)
      const faults = fresh.length > 0 ? await tenantTableFaults(trx) : []
      if (faults.length > 0) throw new Error(`tables break the tenant rules:\n${faults.join('\n')}`)
      return fresh
    })
    .catch(withWayOn('the migrations failed, nothing was changed', 'start again'))
}

/** Runs pending migrations, inside a transaction of the owner. @returns the names of those that ran now */
export async function runMigrations(
  trx: Trx,
  migrations: Migrations,
  print: (line: string) => void,
): Promise<readonly string[]> {
  await takeLock(trx, print)
  await sql`create table if not exists schema_migration
    (name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    .execute(trx)
    .catch((error: Error) => {
      if (!isNotAllowed(error)) throw error
      throw new Error(
        'this user may not make tables in the database: DATABASE_MIGRATE_URL is for the user who owns it',
        { cause: error },
      )
    })
  const fresh = await pending(trx, migrations)
  for (const name of fresh)
    await apply(trx, name, migrations[name] ?? '').catch((error: Error) => {
      if (storageFault(error) !== null || error instanceof DatabaseUnavailable) throw error
      throw new Error(
        `migration ${name} failed, nothing was changed: ${error.message}. Start the version of before again, which goes on with this database, and report this sentence`,
        { cause: error },
      )
    })
  return fresh
}

/** Names of the migrations that {@link migrate} would run; nothing is changed. */
export async function pendingMigrations(
  database: Database,
  migrations: Migrations = MIGRATIONS,
): Promise<readonly string[]> {
  return database.owner(async (trx) => {
    const { rows } = await sql<{
      is_new: boolean
    }>`select to_regclass('schema_migration') is null as is_new`.execute(trx)
    return rows[0]?.is_new === true ? Object.keys(migrations).sort() : pending(trx, migrations)
  })
}

const POLL_INTERVAL_MS = 500
const TIMEOUT_MS = 600_000

/** Waits for another server that is migrating, and reports it. @throws Error if that takes too long */
async function takeLock(trx: Trx, print: (line: string) => void): Promise<void> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    const { rows } = await sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock(${LOCK}) as taken`.execute(trx)
    if (rows[0]?.taken === true) return
    if (waited === 0) print('waiting for another start, which is migrating this database')
    await setTimeout(POLL_INTERVAL_MS)
  }
  throw new Error('another start has been migrating this database for ten minutes')
}

async function pending(trx: Trx, migrations: Migrations): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string
    checksum: string
  }>`select name, checksum from schema_migration`.execute(trx)
  for (const { name, checksum } of rows) {
    const text = migrations[name]
    if (text === undefined)
      throw new Error(
        `migration ${name} ran here but this version does not have it: the database is of a newer version. Start that one, or restore a backup of before it with this one`,
      )
    if (checksumOf(text) !== checksum)
      throw new Error(`migration ${name} was edited after it ran: add a new one instead`)
  }
  const done = new Set(rows.map((row) => row.name))
  return Object.keys(migrations)
    .filter((name) => !done.has(name))
    .sort()
}

async function apply(trx: Trx, name: string, text: string): Promise<void> {
  for (const statement of statementsOf(text)) await sql.raw(statement).execute(trx)
  await sql`insert into schema_migration (name, checksum) values (${name}, ${checksumOf(text)})`.execute(trx)
}

/** Whether a migration is unchanged since it ran. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/** Splits at semicolons that end a line, outside `$$` bodies: the two forms our files use. */
function statementsOf(text: string): readonly string[] {
  const statements: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    open += `${line}\n`
    const insideBody = (open.split('$$').length - 1) % 2 === 1
    if (!insideBody && /;\s*(--.*)?$/.test(line)) {
      statements.push(open)
      open = ''
    }
  }
  return open.trim() === '' ? statements : [...statements, open]
}
