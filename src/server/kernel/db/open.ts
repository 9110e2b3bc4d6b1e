import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { errorText } from '../text/error-text.ts'
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

/** Where the data is stored: `url` is a PostgreSQL server; without it the embedded database in `folder` (`null`: memory). */
export interface DatabasePlace {
  readonly url?: string | undefined
  /** The same server for the owner of the tables, who migrates; default: `url`. */
  readonly migrateUrl?: string | undefined
  /** A standby for reads; default: none. */
  readonly readUrl?: string | undefined
  readonly folder: string | null
  readonly onError: (error: Error) => void
  /** Told why a standby is not used, once until it is used again; default: `onError`. */
  readonly onStandbyError?: (error: Error) => void
  /** Maximum sessions with a server. */
  readonly poolSize?: number | undefined
  /** False if statements must not be prepared (`DATABASE_PREPARE=off`). */
  readonly prepares?: boolean | undefined
  /** Wraps the sessions of the database. */
  readonly watch?: (source: ConnectionSource) => ConnectionSource
}

export interface OpenedDatabase {
  readonly database: Database
  /** Migrations that ran now. */
  readonly ran: readonly string[]
}

/**
 * Opens the database, migrates it and checks that it keeps tenants apart.
 *
 * @param print  told what a start waits for, and what an administrator of the database should do
 */
export async function openDatabase(
  place: DatabasePlace,
  print: (line: string) => void = () => undefined,
): Promise<OpenedDatabase> {
  const { url, migrateUrl } = place
  if (url === undefined || migrateUrl === undefined) {
    const database = await connectDatabase(place, print)
    const ran = await closedOnFault(database, () => bringUpToDate(database, print))
    return { database, ran }
  }
  const owner = await connectServer(
    { ...place, url: migrateUrl, readUrl: undefined },
    'DATABASE_MIGRATE_URL',
    print,
  )
  const ran = await closedOnFault(owner, async () => {
    const names = await bringUpToDate(owner, print)
    await grantServing(owner, url)
    return names
  })
  await owner.close()
  const database = await connectServer({ ...place, url }, 'DATABASE_URL', print)
  await closedOnFault(database, () => refuseUnsafe(database))
  return { database, ran }
}

async function bringUpToDate(database: Database, print: (line: string) => void): Promise<readonly string[]> {
  const ran = await migrate(database, MIGRATIONS, print)
  await refuseUnsafe(database)
  await markLeakproof(database, print)
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

/** Grants the product's roles to the user of the serving address: these are all the rights it needs, and it owns no table. */
export async function grantServing(owner: Database, url: string): Promise<void> {
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
 * Opens the database without changing it.
 *
 * @param print  told where the data is less safe than it should be
 * @throws Error that names the setting if a server cannot be reached
 */
export async function connectDatabase(
  place: DatabasePlace,
  print: (line: string) => void = () => undefined,
): Promise<Database> {
  const { url, folder, onError, poolSize, prepares, watch = (source) => source } = place
  if (url !== undefined) return connectServer({ ...place, url }, 'DATABASE_URL', print)
  if (folder === null) return createDatabase(watch(await openPglite(null)))
  const pool = { size: poolSize, prepares }
  return createDatabase(watch(await openEmbedded(folder, { onError, print, pool })))
}

/** A machine that starts both services, or a database that recovers from a crash, should not end the server. */
const STARTING = { longestMs: 60_000, againMs: 500 }

/** A call waits at most this long for a session of the standby; then the database is used. */
const STANDBY_WAIT_MS = 1_000

/** It may be unavailable: whatever it does not answer, the database does. */
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
  print: (line: string) => void,
): Promise<Database> {
  const { url, readUrl, onError, poolSize, prepares, watch = (source) => source } = place
  const source = watch(openPostgresql(url, onError, { size: poolSize, prepares }))
  const standby = readUrl === undefined ? undefined : standbyOf(url, readUrl, place)
  const database = createDatabase(source, { standby })
  try {
    await onceStarted(
      () => database.owner((trx) => sql`select 1`.execute(trx)),
      () => print(`waiting for the database at ${addressOf(url)}, which is starting`),
    )
    return database
  } catch (error) {
    await database.close()
    throw new Error(`${setting}: the database at ${addressOf(url)} cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

/** Retries while the database reports that it is starting. @param print  called once, if there is something to wait for */
async function onceStarted(ask: () => Promise<unknown>, print: () => void): Promise<void> {
  const until = performance.now() + STARTING.longestMs
  for (let times = 0; ; times += 1) {
    try {
      await ask()
      return
    } catch (error) {
      if (!isStarting(error) || performance.now() > until) throw error
      if (times === 0) print()
      await pause(STARTING.againMs)
    }
  }
}

/** If a name has several addresses, the error of the first. */
function reasonOf(error: unknown): string {
  return errorText(error instanceof AggregateError ? error.errors[0] : error)
}
