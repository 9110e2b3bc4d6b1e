import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { refuseUnsafe } from './catalogue.ts'
import type { ConnectionSource } from './connection.ts'
import { createDatabase, type Database, sharesOf } from './database.ts'
import { addressOf } from './describe.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { openPglite } from './embedded/pglite.ts'
import { markLeakproof } from './leakproof.ts'
import { MIGRATIONS, migrate } from './migrate.ts'
import { openPostgresql, POOL_SIZE } from './postgresql.ts'
import { createStandby, type Standby } from './standby.ts'
import { isStarting } from './unavailable.ts'

/** Where the data lives: `url` is a PostgreSQL server; without it the embedded database in `folder` (`null`: memory). */
export interface DatabasePlace {
  readonly url?: string | undefined
  /** The same server for the owner of the tables, who migrates; default: `url`. */
  readonly migrateUrl?: string | undefined
  /** A standby of it for what only reads; default: none. */
  readonly readUrl?: string | undefined
  readonly folder: string | null
  readonly onError: (error: Error) => void
  /** Hears why a standby is not asked, once until it is again; default: `onError`. */
  readonly onStandbyError?: (error: Error) => void
  /** Sessions with a server at most. */
  readonly poolSize?: number | undefined
  /** False where statements must not be prepared (`DATABASE_PREPARE=off`). */
  readonly prepares?: boolean | undefined
  /** Stands between the database and its sessions. */
  readonly watch?: (source: ConnectionSource) => ConnectionSource
}

export interface OpenedDatabase {
  readonly database: Database
  /** Migrations that ran now. */
  readonly ran: readonly string[]
}

/**
 * Opens the database, brings it up to date and sees that it keeps tenants apart.
 *
 * @param say  hears what a start waits for, and what an administrator of the database should do
 */
export async function openDatabase(
  place: DatabasePlace,
  say: (line: string) => void = () => undefined,
): Promise<OpenedDatabase> {
  const { url, migrateUrl } = place
  if (url === undefined || migrateUrl === undefined) {
    const database = await connectDatabase(place, say)
    const ran = await closedOnFault(database, () => bringUpToDate(database, say))
    return { database, ran }
  }
  const owner = await connectServer(
    { ...place, url: migrateUrl, readUrl: undefined },
    'DATABASE_MIGRATE_URL',
    say,
  )
  const ran = await closedOnFault(owner, async () => {
    const names = await bringUpToDate(owner, say)
    await letServe(owner, url)
    return names
  })
  await owner.close()
  const database = await connectServer({ ...place, url }, 'DATABASE_URL', say)
  await closedOnFault(database, () => refuseUnsafe(database))
  return { database, ran }
}

async function bringUpToDate(database: Database, say: (line: string) => void): Promise<readonly string[]> {
  const ran = await migrate(database, MIGRATIONS, say)
  await refuseUnsafe(database)
  await markLeakproof(database, say)
  return ran
}

async function closedOnFault<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Lets the user of an address, who serves, take on the roles of the product: all the rights it needs, and it owns no table. */
export async function letServe(owner: Database, url: string): Promise<void> {
  const user = decodeURIComponent(new URL(url).username)
  await owner.owner(async (trx) => {
    const { rows } = await sql<{
      role: string
    }>`select r as role from unnest(array['crm_app', 'crm_system']) r
      where not pg_has_role(${user}::name, r::name, 'member')`.execute(trx)
    for (const { role } of rows) await sql`grant ${sql.id(role)} to ${sql.id(user)}`.execute(trx)
  })
}

/**
 * Opens the database as it is.
 *
 * @param say  hears where the data is less safe than it should be
 * @throws Error that names the setting when a server cannot be reached
 */
export async function connectDatabase(
  place: DatabasePlace,
  say: (line: string) => void = () => undefined,
): Promise<Database> {
  const { url, folder, onError, poolSize, prepares, watch = (source) => source } = place
  if (url !== undefined) return connectServer({ ...place, url }, 'DATABASE_URL', say)
  if (folder === null) return createDatabase(watch(await openPglite(null)))
  const pool = { size: poolSize, prepares }
  return createDatabase(watch(await openEmbedded(folder, { onError, say, pool })))
}

/** A machine that starts both, or a database that recovers from a crash, should not end the server. */
const STARTING = { longestMs: 60_000, againMs: 500 }

/** A caller of a standby waits no longer for a session: the database is asked then. */
const STANDBY_WAIT_MS = 1_000

/** It need not be there: what it does not answer, the database does. */
function standbyOf(
  url: string,
  readUrl: string,
  { onError, onStandbyError = onError, poolSize, prepares, watch = (source) => source }: DatabasePlace,
): Standby {
  const sizes = { count: poolSize ?? POOL_SIZE, waitMs: STANDBY_WAIT_MS }
  const source = openPostgresql(readUrl, () => undefined, {
    size: sizes.count,
    waitMs: sizes.waitMs,
    prepares,
  })
  return createStandby({
    positions: openPostgresql(url, onError, { size: 1, waitMs: STANDBY_WAIT_MS, prepares }),
    source: watch(source),
    shares: sharesOf(sizes),
    onError: onStandbyError,
  })
}

async function connectServer(
  place: DatabasePlace & { readonly url: string },
  setting: string,
  say: (line: string) => void,
): Promise<Database> {
  const { url, readUrl, onError, poolSize, prepares, watch = (source) => source } = place
  const source = watch(openPostgresql(url, onError, { size: poolSize, prepares }))
  const standby = readUrl === undefined ? undefined : standbyOf(url, readUrl, place)
  const database = createDatabase(source, { standby })
  try {
    await onceStarted(
      () => database.owner((trx) => sql`select 1`.execute(trx)),
      () => say(`waiting for the database at ${addressOf(url)}, which is starting`),
    )
    return database
  } catch (error) {
    await database.close()
    throw new Error(`${setting}: the database at ${addressOf(url)} cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

/** Asks again while the database says that it is starting. @param say  called once, when there is something to wait for */
async function onceStarted(ask: () => Promise<unknown>, say: () => void): Promise<void> {
  const until = performance.now() + STARTING.longestMs
  for (let times = 0; ; times += 1) {
    try {
      await ask()
      return
    } catch (error) {
      if (!isStarting(error) || performance.now() > until) throw error
      if (times === 0) say()
      await pause(STARTING.againMs)
    }
  }
}

/** Of several addresses of one name, what the first said. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}
