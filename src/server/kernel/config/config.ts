import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { allOf } from './all-of.ts'
import { type AllowedAddresses, allowedAddresses } from './inner-addresses.ts'
import { readOperators } from './operators.ts'
import { isOrigin, originsIn } from './origins.ts'
import { type Env, type Place, readPlace } from './place.ts'
import { readProxies, type TrustProxy } from './proxies.ts'
import { digitsIn, readInteger } from './read-integer.ts'
import { type Retention, readRetention } from './retention.ts'
import { schemasDirOf } from './schemas-dir.ts'
import { readTracing, type TracePlace } from './tracing.ts'

/** The server's settings, read once from the environment. */
export interface Config extends Place {
  readonly port: number
  readonly host: string
  /** Supplied from outside; otherwise generated and stored in `dataDir`, but never in production. */
  readonly sessionSecret: string | undefined
  /** Encrypts the secrets of connections; otherwise a key is generated and stored in `dataDir`. */
  readonly secretsKey: string | undefined
  readonly seed: 'demo' | 'none'
  /** Allows a production start although people of the demo data can sign in. */
  readonly allowDemoAccounts: boolean
  /** Maximum sessions with a PostgreSQL server; undefined: the default. */
  readonly databasePool: number | undefined
  /** Repeated statements are prepared; `DATABASE_PREPARE=off` for a pooler that does not support prepared statements. */
  readonly databasePrepare: boolean
  /** Proxies that are trusted to report the caller's address. */
  readonly trustProxy: TrustProxy
  readonly schemasDir: string
  readonly clientDir: string
  readonly logLevel: string
  /** Limits of DOMAIN 8.7. Only tests and measurements outside production switch them off. */
  readonly rateLimits: boolean
  /** Calls beyond the server's capacity are rejected. Only tests and measurements outside production switch this off. */
  readonly sheds: boolean
  /** How long the numbers of the home page are cached (DOMAIN 3); tests that write without calls switch it off. */
  readonly homeCacheMs: number
  /** Cloud spaces that pages may call (`cloud:` addresses); every client receives them. Default: none. */
  readonly cloudSpaces: readonly JsonObject[]
  /** Origins of those clouds, for the Content-Security-Policy of the pages. */
  readonly cloudOrigins: readonly string[]
  /** Origins that data sources may call besides our own. A tenant may exclude some for its own pages, but never add one. */
  readonly dataOrigins: readonly string[]
  /** Who may read `/metrics`, and where; null: nobody. */
  readonly metrics: MetricsPlace | null
  /** Statements that take longer are logged; null: none are. */
  readonly slowStatementMs: number | null
  /** Where traces are sent; null: no traces. */
  readonly traces: TracePlace | null
  /** Automatic backups; null: none. */
  readonly backups: Backups | null
  /** How long accumulating rows are kept. */
  readonly keeping: Retention
  /** Networks that connections may reach: no inner network except those the operator opens (`CONNECTION_INNER`), these also by plain HTTP. */
  readonly connectionReach: AllowedAddresses
  readonly push: PushSettings
  /** Token for `/operator/…`; null: the address does not exist. */
  readonly operatorToken: string | null
  /** Accounts that see the operator's page, as `account@tenant`. */
  readonly operators: ReadonlySet<string>
}

/** Messages to devices while the app is closed. */
interface PushSettings {
  /** Contact address for the push services of browsers: `mailto:` or `https:`. */
  readonly contact: string
  /** Push services are external. `PUSH_INNER` allows inner networks for trials; production rejects it, because anybody may name an endpoint. */
  readonly reach: AllowedAddresses
}

/** `/metrics` on a separate port, or on the server's port with a token, or both. */
interface MetricsPlace {
  readonly port: number | null
  readonly host: string
  readonly token: string | null
}

/** Automatic backups. */
export interface Backups {
  readonly folder: string
  readonly everyMs: number
  /** The number of backups to keep; older ones are removed. */
  readonly keep: number
  /** Interval of the trial restore of the newest backup; 0: never. */
  readonly testEveryMs: number
}

const SECRET_LENGTH = 32
const HOME_CACHE_MS = 60_000

/** @throws Error with a sentence for the operator for each invalid setting */
export function readConfig(env: Env): Config {
  const production = env.NODE_ENV === 'production'
  const root = env.APP_ROOT ?? projectRoot(dirname(fileURLToPath(import.meta.url)))
  const { place, ...settings } = allOf<Omit<Config, keyof Place> & { readonly place: Place }>({
    place: () => readPlace(env),
    port: () => portOf(env.PORT),
    host: () => env.HOST || '127.0.0.1',
    sessionSecret: () => sessionSecretOf(env, production),
    secretsKey: () => secretOf(env, 'SECRETS_KEY'),
    seed: () => seedOf(env.SEED, production, !env.DATABASE_URL),
    trustProxy: () => readProxies(env.TRUST_PROXY),
    databasePool: () => poolOf(env.DATABASE_POOL),
    databasePrepare: () => isOn(env, 'DATABASE_PREPARE'),
    allowDemoAccounts: () => isAllowed(env, 'ALLOW_DEMO_ACCOUNTS'),
    schemasDir: () => schemasDirOf(env, root),
    clientDir: () => join(root, 'dist/app'),
    logLevel: () => logLevelOf(env.LOG_LEVEL, production),
    homeCacheMs: () => (isOn(env, 'HOME_CACHE') ? HOME_CACHE_MS : 0),
    sheds: () => isOn(env, 'SHEDDING') || production,
    rateLimits: () => isOn(env, 'RATE_LIMITS') || production,
    cloudSpaces: () => spacesOf(env.CLOUD_SPACES || '[]'),
    cloudOrigins: () => originsOf(env.CLOUD_ORIGINS, 'CLOUD_ORIGINS'),
    dataOrigins: () => originsOf(env.DATA_ORIGINS, 'DATA_ORIGINS'),
    connectionReach: () => allowedAddresses(networksIn(env.CONNECTION_INNER), 'CONNECTION_INNER'),
    push: () => pushOf(env, production),
    operatorToken: () => tokenIn(env, 'OPERATOR_TOKEN'),
    operators: () => readOperators(env.OPERATORS),
    metrics: () => metricsOf(env),
    slowStatementMs: () => slowOf(env),
    traces: () => readTracing(env),
    backups: () => backupsOf(env),
    keeping: () => readRetention(env),
  })
  return { ...place, ...settings }
}

function sessionSecretOf(env: Env, production: boolean): string | undefined {
  const secret = secretOf(env, 'SESSION_SECRET')
  if (production && secret === undefined)
    throw new Error('SESSION_SECRET is required when NODE_ENV=production')
  return secret
}

function secretOf(env: Env, name: 'SESSION_SECRET' | 'SECRETS_KEY' | 'BACKUP_KEY'): string | undefined {
  const secret = env[name] || undefined
  if (secret !== undefined && secret.length < SECRET_LENGTH)
    throw new Error(`${name} needs at least ${SECRET_LENGTH} characters`)
  return secret
}

const LOG_LEVELS: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

function logLevelOf(text: string | undefined, production: boolean): string {
  if (!text) return production ? 'info' : 'warn'
  if (!LOG_LEVELS.includes(text)) throw new Error(`LOG_LEVEL is one of ${LOG_LEVELS.join(', ')}, not ${text}`)
  return text
}

const slowOf = (env: Env): number | null =>
  readInteger(env, 'SLOW_STATEMENT_MS', { least: 1, most: 3_600_000, otherwise: 0 }) || null

function spacesOf(text: string): readonly JsonObject[] {
  try {
    const spaces = JSON.parse(text) as Json
    if (Array.isArray(spaces) && spaces.every(isObject)) return spaces
  } catch {
    // Reported below.
  }
  throw new Error('CLOUD_SPACES is not a JSON list of spaces')
}

/** Only complete origins: a policy would interpret anything else more widely. */
function originsOf(text: string | undefined, name: string): readonly string[] {
  const origins = originsIn(text ?? '')
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong !== undefined) throw new Error(`${name}: ${wrong} is not an origin like https://api.example.com`)
  return origins
}

function portOf(text: string | undefined, name = 'PORT'): number {
  if (text === undefined || text === '') return 8080
  const port = digitsIn(text)
  if (port === null || port > 65_535) throw new Error(`${name} is not a port: ${text}`)
  return port
}

/** A switch that is on unless it is switched off. */
function isOn(env: Env, name: 'DATABASE_PREPARE' | 'HOME_CACHE' | 'SHEDDING' | 'RATE_LIMITS'): boolean {
  const text = env[name] || 'on'
  if (text !== 'on' && text !== 'off') throw new Error(`${name} is on or off, not ${text}`)
  return text === 'on'
}

/** A permission that is not given unless it is written down. */
function isAllowed(env: Env, name: 'ALLOW_DEMO_ACCOUNTS'): boolean {
  const text = env[name] || '0'
  if (text !== '0' && text !== '1') throw new Error(`${name} is 1 or 0, not ${text}`)
  return text === '1'
}

const MIN_POOL = 4
const MAX_POOL = 500

function poolOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const size = digitsIn(text)
  if (size === null || size < MIN_POOL || size > MAX_POOL)
    throw new Error(`DATABASE_POOL is a number of sessions from ${MIN_POOL} to ${MAX_POOL}, not ${text}`)
  return size
}

const TOKEN_LENGTH = 16

function tokenIn(env: Env, name: 'METRICS_TOKEN' | 'OPERATOR_TOKEN'): string | null {
  const token = env[name] || null
  if (token !== null && token.length < TOKEN_LENGTH)
    throw new Error(`${name} needs at least ${TOKEN_LENGTH} characters`)
  return token
}

function metricsOf(env: Env): MetricsPlace | null {
  const place = allOf<MetricsPlace>({
    token: () => tokenIn(env, 'METRICS_TOKEN'),
    port: () => (env.METRICS_PORT ? portOf(env.METRICS_PORT, 'METRICS_PORT') : null),
    host: () => env.METRICS_HOST || '127.0.0.1',
  })
  return place.token === null && place.port === null ? null : place
}

const networksIn = (text = ''): readonly string[] => text.split(/[\s,]+/).filter((one) => one !== '')

/** Push services reject an address that does not look like one. */
const CONTACT = 'mailto:push@vform-crm.example'

function pushOf(env: Env, production: boolean): PushSettings {
  return allOf<PushSettings>({
    contact: () => contactOf(env.PUSH_CONTACT || CONTACT),
    reach: () => {
      if (production && env.PUSH_INNER) throw new Error('PUSH_INNER is refused when NODE_ENV=production')
      return allowedAddresses(networksIn(env.PUSH_INNER), 'PUSH_INNER')
    },
  })
}

function contactOf(contact: string): string {
  if (!/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(contact))
    throw new Error(`PUSH_CONTACT looks like mailto:it@example.com or https://example.com, not ${contact}`)
  return contact
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function backupsOf(env: Env): Backups | null {
  const { key: _, ...backups } = allOf<Backups & { readonly key: string | undefined }>({
    key: () => secretOf(env, 'BACKUP_KEY'),
    folder: () => resolve(env.BACKUP_DIR ?? ''),
    everyMs: () => readInteger(env, 'BACKUP_HOURS', { least: 1, most: 24 * 31, otherwise: 24 }) * HOUR_MS,
    keep: () => readInteger(env, 'BACKUP_KEEP', { least: 1, most: 1000, otherwise: 14 }),
    testEveryMs: () => readInteger(env, 'BACKUP_TEST_DAYS', { least: 0, most: 365, otherwise: 7 }) * DAY_MS,
  })
  return env.BACKUP_DIR ? backups : null
}

/** Demo accounts have known passwords: production never gets them, and a PostgreSQL server, which may belong to a company, only on request. */
function seedOf(text: string | undefined, production: boolean, embedded: boolean): Config['seed'] {
  if (text !== undefined && text !== '' && text !== 'demo' && text !== 'none') {
    throw new Error(`SEED is demo or none, not ${text}`)
  }
  if (production && text === 'demo') throw new Error('SEED=demo is refused when NODE_ENV=production')
  return text === 'demo' || (text !== 'none' && embedded && !production) ? 'demo' : 'none'
}

/** The folder above that holds package.json and schemas: the same from `src/server` and from `dist/server`. */
function projectRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'schemas'))) return from
  const up = dirname(from)
  return up === from ? process.cwd() : projectRoot(up)
}
