import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import settings from '../../../schemas/app.json'
import { backUp } from '../flows/backup/back-up.ts'
import { readSecrets } from '../flows/backup/kept-secrets.ts'
import { jobsOf } from '../flows/jobs/index.ts'
import { startJobs } from '../flows/jobs/scheduler.ts'
import { noteJobFault } from '../flows/operator/faults.ts'
import { startHeartbeat } from '../flows/operator/heartbeat.ts'
import { createPusher } from '../flows/push/pusher.ts'
import { startPushing } from '../flows/push/start-pushing.ts'
import { readVapid } from '../flows/push/vapid.ts'
import type { Config } from '../kernel/config/config.ts'
import { createLog } from '../kernel/config/log.ts'
import { createSealer, type Sealer } from '../kernel/config/sealed.ts'
import { prepareDataFolder, refuseUnfinished } from '../kernel/db/data-folder.ts'
import type { Database } from '../kernel/db/database.ts'
import { describeDatabase } from '../kernel/db/describe.ts'
import { lockFolder } from '../kernel/db/folder-lock.ts'
import { openDatabase } from '../kernel/db/open.ts'
import { startSharedClock } from '../kernel/db/shared-clock.ts'
import { filesAt } from '../kernel/files/file-places.ts'
import { createMetrics, type Metrics } from '../kernel/metrics/metrics.ts'
import type { Traces } from '../kernel/metrics/traces.ts'
import { watchStatements } from '../kernel/metrics/watch-statements.ts'
import { refuseNoPages } from '../kernel/pages/load.ts'
import { buildId, openValidPageCache } from '../kernel/pages/valid-page-cache.ts'
import { secretsKey, sessionSecret } from '../kernel/security/session-secret.ts'
import { errorText } from '../kernel/text/error-text.ts'
import { createApp } from './app.ts'
import { openBackupSocket, type WriteBackup } from './backup/backup-socket.ts'
import { prepareBackupFolder, startBackups } from './backup/schedule.ts'
import { keepClientFiles } from './kept-client-files.ts'
import { listenForMetrics } from './metrics.ts'
import { moveToPostgresql } from './move-to-postgresql.ts'
import { listenOnMetricsPort, listenOnPort, refuseUnusablePorts } from './ports.ts'
import { refuseDemoAccounts } from './seed/demo-accounts.ts'
import { seedDemo } from './seed/index.ts'

/** A running server. */
export interface RunningServer {
  readonly url: string
  /** A text for the operator that says which database is used. */
  readonly about: string
  /** Finishes running calls, closes the database and unlocks the data folder. */
  stop(): Promise<void>
}

/** Time for which a stopping server reports that it is not ready but still answers, in milliseconds. */
const DRAIN_MS = 1_000

/** Lets a running server read its own database for a backup. */
function giveBackup(config: Config, database: Database, now: () => number): WriteBackup {
  const { dataDir } = config

  return async ({ withFiles, withSecrets }, out) => {
    const secrets = withSecrets ? await readSecrets(process.env, dataDir) : null
    const files = withFiles ? filesAt(config, database) : null
    return backUp({ database, files, secrets, now }, out)
  }
}

/** Push messages to devices; the keys are created at the first start. */
async function startPushes(
  { push }: Config,
  database: Database,
  { log, now, sealer }: { log: FastifyBaseLogger; now: () => number; sealer: Sealer },
): Promise<() => Promise<void>> {
  const vapid = await readVapid(database, { sealer, contact: push.contact, now: now() })
  const pusher = createPusher({ database, vapid, reach: push.reach, log, now })
  return startPushing({
    pusher,
    database,
    onError: (error) => log.error({ err: error }, 'pushes could not be sent'),
  })
}

/** The module is loaded only if tracing is configured. */
async function tracesOf({ traces: place }: Config, log: FastifyBaseLogger): Promise<Traces | null> {
  if (place === null) return null
  const { createTraces } = await import('../kernel/metrics/traces.ts')
  return createTraces(place, settings.version, (error) => log.warn({ err: error }, 'traces were not taken'))
}

/** Opens the configured database, with metrics and logs of its statements. */
async function openStore(
  config: Config,
  watch: {
    readonly log: FastifyBaseLogger
    readonly metrics: Metrics | null
    readonly traces: Traces | null
    readonly onError: (error: Error) => void
    readonly print: (line: string) => void
  },
) {
  const { log, metrics, traces, onError, print } = watch
  return openDatabase(
    {
      url: config.databaseUrl,
      migrateUrl: config.migrateUrl,
      readUrl: config.readUrl,
      folder: config.dataDir,
      poolSize: config.databasePool,
      prepares: config.databasePrepare,
      watch: (source) => watchStatements(source, { metrics, traces, slowMs: config.slowStatementMs, log }),
      onError,
      onStandbyError: (error) => log.warn({ err: error }, 'the standby is not asked'),
    },
    print,
  )
}

/** The clock of the database, which all servers share; deviations are logged. */
function startClock(database: Database, log: FastifyBaseLogger) {
  return startSharedClock(database, {
    onDrift: (ms) =>
      log.warn(
        { seconds: Math.round(ms / 1000) },
        "this machine's clock is not that of the database, which counts",
      ),
    onError: (error) => log.warn({ err: error }, 'the clock of the database could not be read'),
  })
}

/** Runs the scheduled jobs, counts their runs and records failures. @returns a function that stops them */
function runJobs(
  config: Config,
  database: Database,
  { log, now, metrics }: { log: FastifyBaseLogger; now: () => number; metrics: Metrics | null },
): () => Promise<void> {
  let lookedAt = performance.now()
  metrics?.gauge(
    'crm_jobs_since_look_seconds',
    'Since all jobs were last looked at; more than a minute or two: one of them takes long or hangs',
    () => (performance.now() - lookedAt) / 1000,
  )
  return startJobs({
    jobs: jobsOf(config),
    database,
    now,
    later(work, ms) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    onError(error, job, tenantId) {
      log.error({ err: error, job, tenant: tenantId }, 'a job failed')
      noteJobFault(database, { job, tenantId, error, now: now() }).catch((cause: unknown) =>
        log.error({ err: cause }, 'a failure was not written down'),
      )
    },
    onRun: metrics?.job,
    onLook: () => {
      lookedAt = performance.now()
    },
  })
}

/** Logs errors that nothing awaited, which would end the process. Each belongs to one call or job; the other tenants' go on. */
function logLostErrors(log: FastifyBaseLogger): () => Promise<void> {
  // Without the error's own properties, which may be values that somebody typed.
  const lost = (error: unknown): void =>
    log.error(
      { stack: error instanceof Error ? error.stack : errorText(error) },
      'an error that nothing awaited',
    )
  process.on('unhandledRejection', lost)
  return async () => void process.off('unhandledRejection', lost)
}

/** Opens data folder, database and port, in this order. If a step fails, the earlier ones are closed again. */
export async function openServer(config: Config): Promise<RunningServer> {
  const log = createLog(config.logLevel)
  const undo: (() => Promise<unknown>)[] = []
  const print = (line: string): void => void process.stderr.write(`${line}\n`)
  const onError = (error: Error): void => log.error({ err: error }, 'the database connection failed')
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  undo.push(logLostErrors(log))
  try {
    await refuseNoPages(config.schemasDir)
    await refuseUnusablePorts(config)
    await prepareDataFolder(config.dataDir)
    if (config.databaseUrl === undefined) {
      undo.push(await lockFolder(config.dataDir))
      await refuseUnfinished(config.dataDir)
      await moveToPostgresql(config.dataDir, { print, onError })
    }
    const metrics = config.metrics === null ? null : createMetrics()
    const traces = await tracesOf(config, log)
    if (traces !== null) undo.push(() => traces.close())
    const { database, ran } = await openStore(config, { log, metrics, traces, onError, print })
    undo.push(() => database.close())
    const clock = await startClock(database, log)
    undo.push(async () => clock.stop())
    const { now } = clock
    if (config.production && !config.allowDemoAccounts) await refuseDemoAccounts(database)
    if (config.seed === 'demo' && !config.production) await seedDemo(database)
    const olderClient = join(config.dataDir, 'client')
    await keepClientFiles(config.clientDir, olderClient, now())
    const secret = await sessionSecret(config)
    const sealing = await secretsKey(config)
    const build = await buildId(import.meta.url)
    const faultless =
      build === null ? undefined : await openValidPageCache(join(config.dataDir, 'judged-pages.json'), build)
    const app = await createApp({
      config,
      database,
      secret,
      secretsKey: sealing,
      log,
      now,
      metrics,
      traces,
      olderClient,
      faultless,
    })
    // If the file cannot be written, the next start checks the pages again.
    faultless?.keep().catch((error: Error) => log.warn({ err: error }, 'judged pages were not written down'))
    undo.push(() => app.close())
    undo.push(async () => {
      app.draining.isOn = true
      if (config.production) await pause(DRAIN_MS)
    })
    // PGlite allows only one session, so the server itself reads the data for a backup.
    if (database.kind === 'pglite')
      undo.push(await openBackupSocket(config.dataDir, giveBackup(config, database, now)))
    if (metrics !== null && config.metrics !== null && config.metrics.port !== null) {
      const { host, port } = config.metrics
      const listening = await listenOnMetricsPort({ host, port }, () =>
        listenForMetrics(metrics, { host, port }),
      )
      undo.push(listening.close)
    }
    undo.push(runJobs(config, database, { log, now, metrics }))
    undo.push(
      await startHeartbeat(database, {
        version: settings.version,
        dataDir: config.dataDir,
        now,
        onError: (error) => log.error({ err: error }, 'the server could not say that it is there'),
      }),
    )
    undo.push(await startPushes(config, database, { log, now, sealer: createSealer(sealing) }))
    if (config.backups !== null) {
      await prepareBackupFolder(config.backups.folder, config.dataDir, print)
      undo.push(startBackups({ settings: config.backups, database, log, now }))
    }
    await listenOnPort(config, () => app.listen({ port: config.port, host: config.host }))
    const { port } = app.server.address() as AddressInfo
    return {
      url: `http://${config.host}:${port}`,
      about: await describeDatabase(config, database, ran),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
