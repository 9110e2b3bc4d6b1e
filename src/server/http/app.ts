import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import DEFAULT_DICTS from '../flows/dict/default-dicts.json'
import { addNumberSearches } from '../flows/search/number-searches.ts'
import { createGuard } from '../kernel/auth/guard.ts'
import { innerReads } from '../kernel/auth/inner-reads.ts'
import { createSessions } from '../kernel/auth/sessions.ts'
import { createTokens } from '../kernel/auth/token.ts'
import { noteRoutes } from '../kernel/calls/api-routes.ts'
import type { Services } from '../kernel/calls/resource.ts'
import type { Config } from '../kernel/config/config.ts'
import { createSealer } from '../kernel/config/sealed.ts'
import type { Database } from '../kernel/db/database.ts'
import { pendingMigrations } from '../kernel/db/migrate.ts'
import { addFreshAddresses } from '../kernel/files/fresh-addresses.ts'
import { createVerdicts, type Verdicts } from '../kernel/forms/verdicts.ts'
import type { Metrics } from '../kernel/metrics/metrics.ts'
import type { Traces } from '../kernel/metrics/traces.ts'
import { createModuleLibrary } from '../kernel/model/library.ts'
import { mirrorOldFields } from '../kernel/model/own-index.ts'
import { checkStrictly } from '../kernel/pages/check.ts'
import { createPageLibrary } from '../kernel/pages/library.ts'
import { allDictionaries } from '../kernel/pages/names.ts'
import type { ValidPageCache } from '../kernel/pages/valid-page-cache.ts'
import { addAnswers, answerError } from '../kernel/security/answers.ts'
import { addBodyBounds } from '../kernel/security/bounded-bodies.ts'
import { addHeaders } from '../kernel/security/headers.ts'
import { createCallCounter } from '../kernel/security/limits.ts'
import { addRefusalLog } from '../kernel/security/refusal-log.ts'
import { requestIds } from '../kernel/security/request-ids.ts'
import { addShedding } from '../kernel/security/shedding.ts'
import { addUnreadBodies } from '../kernel/security/unread-bodies.ts'
import { createOwnPages } from '../modules/own-records/pages.ts'
import { addClientFiles } from './client-files.ts'
import { addClosing, addDraining } from './closing.ts'
import { addHealth } from './health.ts'
import {
  addGauges,
  addMetricsRoute,
  countCalls,
  timedVerdicts,
  traceCalls,
  tracedVerdicts,
} from './metrics.ts'
import { addOperatorRoutes, notedVerdicts } from './operator/routes.ts'
import { PLATFORM } from './platform.ts'
import { RESOURCES } from './resources.ts'
import { addValidators } from './validators.ts'

/** The dependencies of the server. Everything outside it (time, database, files) is passed in. */
export interface AppParts {
  readonly config: Config
  readonly database: Database
  /** Key for signing sessions; at least 32 characters. */
  readonly secret: string
  /** Key for encrypting stored secrets; default: `secret`. */
  readonly secretsKey?: string
  readonly log: FastifyBaseLogger
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Collects metrics; default: none. */
  readonly metrics?: Metrics | null
  /** Checks submissions by their form pages; default: worker threads beside the bundle. */
  readonly verdicts?: Verdicts
  /** Traces the parts of each call; default: no tracing. */
  readonly traces?: Traces | null
  /** Folder for client files of earlier builds; default: none are kept. */
  readonly olderClient?: string
  /** Pages that an earlier start has checked without finding a fault. */
  readonly faultless?: ValidPageCache | undefined
}

/** Timeout of a call from first to last byte; an upload of five megabytes on a slow phone fits. A client that stops sending is disconnected. */
const REQUEST_MS = 120_000
const BODY_LIMIT = 1024 * 1024 // DOMAIN 8.7
/** Low compression level: answers are compressed per call, so speed matters more. The client's files are compressed once, by the build. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 3 }
/** Answers up to this size are compressed in one piece: a stream for each costs several times as much. A page of a list has 10 to 40 KB. */
const PACKED_AT_ONCE = 64 * 1024

/** The complete server without a listening port: `main.ts` listens, tests use `inject`. `close()` leaves the database open. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, database, log, now } = parts
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(config.trustProxy),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: 'idle',
    frameworkErrors: answerError,
    // While closing, calls on open connections are still answered, not refused with 503.
    return503OnClosing: false,
  })
  addValidators(app)
  if (parts.traces) traceCalls(app, parts.traces, config.trustProxy !== false)
  const tokens = createTokens(parts.secret)
  const looked = parts.metrics?.cache
  // The dictionaries of the product exist before the first tenant does.
  const dictionaries = async (): Promise<ReadonlySet<string>> =>
    new Set([...Object.keys(DEFAULT_DICTS), ...(await allDictionaries(database))])
  const modules = await createModuleLibrary({
    schemasDir: config.schemasDir,
    database,
    dictionaries,
    looked,
    onError: (error) => log.error({ err: error }, 'modules could not be read again'),
  })
  await mirrorOldFields(database, modules.within)
  const sessions = await createSessions(database, {
    now,
    shipped: modules.records,
    operators: config.operators,
    looked,
  })
  const pages = await createPageLibrary({
    schemasDir: config.schemasDir,
    database,
    check: checkStrictly,
    dictionaries,
    own: createOwnPages(modules),
    faultless: parts.faultless,
    onError: (error) => log.error({ err: error }, 'pages could not be read again'),
    onBroken: ({ path, problems }) =>
      log.warn(
        { path, count: problems.length, first: problems[0] },
        'a page has faults; its last good version stays',
      ),
  })
  app.addHook('onClose', async () => {
    await modules.close()
    await pages.close()
    await sessions.close()
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('sessionFault', null)
  if (config.sheds) addShedding(app, tokens.tenantOf)
  addHeaders(app, config)
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: BROTLI },
    syncThreshold: PACKED_AT_ONCE,
  })
  addAnswers(app)
  addBodyBounds(app)
  addUnreadBodies(app)
  addFreshAddresses(app, parts)
  addRequestLog(app)
  acceptEmptyBodies(app)
  addDraining(app)
  addHealth(app, database)
  addClosing(app)
  const { secret, metrics = null, traces = null } = parts
  const given = parts.verdicts ?? verdictThreads(app)
  const noted = notedVerdicts(given, {
    database,
    now,
    onError: (error) => log.error({ err: error }, 'an ended check was not written down'),
  })
  const timed = metrics === null ? noted : timedVerdicts(noted, metrics)
  const verdicts = traces === null ? timed : tracedVerdicts(timed, traces)
  if (metrics !== null) {
    countCalls(app, metrics)
    addGauges(metrics, { database, pages })
    if (config.metrics?.token) addMetricsRoute(app, metrics, config.metrics.token)
  }
  const services: Services = {
    config,
    database,
    secret,
    now,
    pages,
    modules,
    verdicts,
    readAs: innerReads(app),
    log,
    looked,
    sessions,
    tokens,
    sealer: createSealer(parts.secretsKey ?? secret),
    pendingMigrations: () => pendingMigrations(database),
    routes: noteRoutes(app),
  }
  if (config.operatorToken !== null) addOperatorRoutes(app, config.operatorToken, services)
  await app.register(async (api) => {
    const guard = createGuard({ database, tokens, sessions, now })
    api.addHook('onRequest', guard)
    if (config.rateLimits) api.addHook('onRequest', createCallCounter())
    addNumberSearches(api, services)
    addRefusalLog(api, services)
    for (const resource of [...PLATFORM, ...RESOURCES]) resource(api, services)
  })
  await addClientFiles(app, config.clientDir, parts.olderClient ?? null)
  return app
}

/** Worker threads that check submissions. Some of them are started once the server listens. */
function verdictThreads(app: FastifyInstance): Verdicts {
  const verdicts = createVerdicts()
  app.addHook('onListen', async () => verdicts.warm())
  app.addHook('onClose', async () => verdicts.close())
  return verdicts
}

/** A POST without a body (logout, refresh) reads as an empty object. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, {})
    return parse(request, body.toString(), done)
  })
}

/**
 * One line per call: user, address, path, duration, and the reason of a refusal, which the status does not show. Paths without query, since it may
 * contain names or a signature. Health checks come every second and are not logged.
 */
function addRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.isHealth === true || request.isTurnedAway === true) return done()
    request.log.info({
      method: request.method,
      // The route pattern: the actual URL may contain a name, a number or a token.
      path: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      code: request.refusal?.code,
      error: request.refusal?.error?.type,
      address: request.ip,
      ms: Math.round(reply.elapsedTime),
      tenant: request.caller?.tenantId,
      user: request.caller?.userId,
      requestId: request.id,
    })
    done()
  })
}
