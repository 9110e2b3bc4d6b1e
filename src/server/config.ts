import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'

/** How the server runs, read once from the environment (DESIGN 9). */
export interface Config {
  readonly production: boolean
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** A PostgreSQL server; without it the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Given from outside; otherwise made and kept in `dataDir`, never in production. */
  readonly sessionSecret: string | undefined
  readonly seed: 'demo' | 'none'
  readonly schemasDir: string
  readonly clientDir: string
  readonly logLevel: string
  /** Limits of CRM 8.7. Only tests and measurements outside production switch them off. */
  readonly rateLimits: boolean
  /** How long the numbers of the home page are kept (CRM 3); tests that write past the calls switch it off. */
  readonly homeCacheMs: number
  /** Cloud spaces that pages may call (`cloud:` addresses); every client gets to know them. Default: none. */
  readonly cloudSpaces: readonly JsonObject[]
  /** Origins of those clouds, for the policy of the pages. */
  readonly cloudOrigins: readonly string[]
}

const SECRET_LENGTH = 32
const HOME_CACHE_MS = 60_000

/** @throws Error with one sentence for the operator when a setting cannot be used */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const production = env.NODE_ENV === 'production'
  const root = env.APP_ROOT ?? projectRoot(dirname(fileURLToPath(import.meta.url)))
  const secret = env.SESSION_SECRET === '' ? undefined : env.SESSION_SECRET
  if (production && secret === undefined)
    throw new Error('SESSION_SECRET is required when NODE_ENV=production')
  if (secret !== undefined && secret.length < SECRET_LENGTH) {
    throw new Error(`SESSION_SECRET needs at least ${SECRET_LENGTH} characters`)
  }
  return {
    production,
    port: portOf(env.PORT),
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: env.DATABASE_URL || undefined,
    sessionSecret: secret,
    seed: seedOf(env.SEED, production),
    schemasDir: resolve(env.SCHEMAS_DIR || join(root, 'schemas')),
    clientDir: join(root, 'dist/app'),
    logLevel: env.LOG_LEVEL || (production ? 'info' : 'warn'),
    homeCacheMs: env.HOME_CACHE === 'off' ? 0 : HOME_CACHE_MS,
    rateLimits: production || env.RATE_LIMITS !== 'off',
    cloudSpaces: spacesOf(env.CLOUD_SPACES || '[]'),
    cloudOrigins: originsOf(env.CLOUD_ORIGINS ?? ''),
  }
}

function spacesOf(text: string): readonly JsonObject[] {
  try {
    const spaces = JSON.parse(text) as Json
    if (Array.isArray(spaces) && spaces.every(isObject)) return spaces
  } catch {
    // Said below.
  }
  throw new Error('CLOUD_SPACES is not a JSON list of spaces')
}

/** Whole origins only: anything else in a policy would be read as something wider. */
function originsOf(text: string): readonly string[] {
  const origins = text.split(/\s+/).filter((one) => one !== '')
  const wrong = origins.find((one) => !URL.canParse(one) || new URL(one).origin !== one)
  if (wrong !== undefined)
    throw new Error(`CLOUD_ORIGINS: ${wrong} is not an origin like https://api.example.com`)
  return origins
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return 8080
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT is not a port: ${text}`)
  return port
}

/** Demo accounts have known passwords: production never gets them (DESIGN 9). */
function seedOf(text: string | undefined, production: boolean): Config['seed'] {
  if (text !== undefined && text !== '' && text !== 'demo' && text !== 'none') {
    throw new Error(`SEED is demo or none, not ${text}`)
  }
  if (production && text === 'demo') throw new Error('SEED=demo is refused when NODE_ENV=production')
  return production || text === 'none' ? 'none' : 'demo'
}

/** The folder above that holds package.json and schemas: the same from `src/server` and from `dist/server`. */
function projectRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'schemas'))) return from
  const up = dirname(from)
  return up === from ? process.cwd() : projectRoot(up)
}
