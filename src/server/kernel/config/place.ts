import { resolve } from 'node:path'

export type Env = Readonly<Record<string, string | undefined>>

/** What kind of installation this is, and where its data lies. */
export interface Place {
  readonly production: boolean
  readonly dataDir: string
  /** A PostgreSQL server; without it the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined
}

const MODES: readonly string[] = ['development', 'test', 'production']

/** @throws Error with one sentence for the operator when a setting cannot be used */
export function readPlace(env: Env): Place {
  const mode = env.NODE_ENV || 'development'
  if (!MODES.includes(mode)) throw new Error(`NODE_ENV is development, test or production, not ${mode}`)
  return {
    production: mode === 'production',
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: env.DATABASE_URL ? postgresqlUrl(env.DATABASE_URL) : undefined,
  }
}

/** The message shows no more than the kind of address: the rest may hold a password. */
function postgresqlUrl(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text
  const found = protocol === '' ? 'that is no address' : `${protocol}// is another database`
  throw new Error(`DATABASE_URL looks like postgres://user:password@host:5432/database; ${found}`)
}
