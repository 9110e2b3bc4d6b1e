import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ReadAs } from '../auth/inner-reads.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Tokens } from '../auth/token.ts'
import type { Config } from '../config/config.ts'
import type { Sealer } from '../config/sealed.ts'
import type { Database } from '../db/database.ts'
import type { Verdicts } from '../forms/verdicts.ts'
import type { CountCacheRequest } from '../metrics/metrics.ts'
import type { ModuleLibrary } from '../model/library.ts'
import type { PageLibrary } from '../pages/library.ts'
import type { ApiRoute } from './api-routes.ts'

/** What every resource may use. */
export interface Services {
  readonly config: Config
  readonly database: Database
  /** Signs data that the client returns unread: sessions, list cursors. */
  readonly secret: string
  /** Milliseconds since the epoch; tests pass their own clock. */
  readonly now: () => number
  readonly pages: PageLibrary
  readonly modules: ModuleLibrary
  /** Judges submissions with their form pages. */
  readonly verdicts: Verdicts
  /** Calls the server itself on behalf of somebody. */
  readonly readAs: ReadAs
  readonly sessions: Sessions
  readonly tokens: Tokens
  /** Encrypts the secrets of connections. */
  readonly sealer: Sealer
  readonly log: FastifyBaseLogger
  /** Counts cache requests; undefined: no counting. */
  readonly looked: CountCacheRequest | undefined
  /** Migrations that have not run. */
  readonly pendingMigrations: () => Promise<readonly string[]>
  /** Every API route, including those registered later. */
  readonly routes: readonly ApiRoute[]
}

/** One resource of the API: registers its routes. */
export type Resource = (app: FastifyInstance, services: Services) => void
