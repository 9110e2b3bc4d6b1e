import { resolve } from 'node:path'
import { allOf } from './all-of.ts'
import { readStorage, type StoragePlace } from './storage.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** The kind of installation and where its data is stored. */
export interface Place {
  readonly production: boolean
  readonly dataDir: string
  /** A PostgreSQL server; without it, the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** The same database for the user who owns its tables: `databaseUrl` then needs only rights to read and write. */
  readonly migrateUrl: string | undefined
  /** A standby of it, which answers lists and statistics. */
  readonly readUrl: string | undefined
  /** An object storage for files; null: they are stored in the database, or, with the embedded database, in `dataDir`. */
  readonly storage: StoragePlace | null
}

/** The place for work that creates or changes tables. */
export const asOwner = (place: Place): Place => ({
  ...place,
  databaseUrl: place.migrateUrl ?? place.databaseUrl,
})

const MODES: readonly string[] = ['development', 'test', 'production']

/** @throws Error with a sentence for the operator for each invalid setting */
export function readPlace(env: Env): Place {
  return allOf<Place>({
    production: () => isProduction(env.NODE_ENV || 'development'),
    dataDir: () => resolve(env.DATA_DIR || './data'),
    databaseUrl: () => postgresqlUrl(env, 'DATABASE_URL'),
    migrateUrl: () =>
      additionalUrl(env, 'DATABASE_MIGRATE_URL', 'the same database for a user with fewer rights'),
    readUrl: () => additionalUrl(env, 'DATABASE_READ_URL', 'whose standby it is'),
    storage: () => readStorage(env.STORAGE_URL),
  })
}

function isProduction(mode: string): boolean {
  if (!MODES.includes(mode)) throw new Error(`NODE_ENV is development, test or production, not ${mode}`)
  return mode === 'production'
}

type AdditionalUrl = 'DATABASE_MIGRATE_URL' | 'DATABASE_READ_URL'

function additionalUrl(env: Env, name: AdditionalUrl, purpose: string): string | undefined {
  if (env[name] && !env.DATABASE_URL) throw new Error(`${name} goes with DATABASE_URL, ${purpose}`)
  return postgresqlUrl(env, name)
}

/** The message shows only the kind of address, because the rest may contain a password. */
function postgresqlUrl(env: Env, name: 'DATABASE_URL' | AdditionalUrl): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text
  const found = protocol === '' ? 'that is no address' : `${protocol}// is another database`
  throw new Error(`${name} looks like postgres://user:password@host:5432/database; ${found}`)
}
