import { sql } from 'kysely'
import type { Place } from '../config/place.ts'
import type { Database } from './database.ts'

/** One line for the operator: the database, its version, the state of the schema, and what this start changed. */
export async function describeDatabase(
  place: Place,
  database: Database,
  ran: readonly string[],
): Promise<string> {
  const { rows } = await database.owner((trx) =>
    sql<{ version: string; schema: string }>`select current_setting('server_version') as version,
      (select max(name) from schema_migration) as schema`.execute(trx),
  )
  const { version = '', schema = '' } = rows[0] ?? {}
  const changed = ran.length === 0 ? 'up to date' : `${ran.length} migrations ran`
  const engine = database.kind === 'pglite' ? 'PGlite, PostgreSQL' : 'PostgreSQL'
  return `${describePlace(place)}, ${engine} ${version.split(' ')[0]}, schema ${schema.replace(/\.sql$/, '')} (${changed}), folder ${place.dataDir}`
}

/** Which database it is. */
export function describePlace({ databaseUrl, dataDir }: Place): string {
  return databaseUrl === undefined
    ? `the embedded database in ${dataDir}`
    : `the database at ${addressOf(databaseUrl)}`
}

/** Host and database, without user and password. */
export function addressOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `${host || 'the local socket'}${pathname}`
}
