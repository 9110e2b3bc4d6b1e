import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** How a call ended: `ok`, `refused` (the caller's error), `unavailable` (503: busy, or the database unreachable), `failed` (ours). */
export type CallEnd = 'ok' | 'refused' | 'unavailable' | 'failed'

/** Reports a cache request and whether it was a hit. */
export type CountCacheRequest = (cache: 'session' | 'model' | 'home', isThere: boolean) => void

/** The metrics of a server. They identify no person, tenant or record. */
export interface Metrics {
  call(route: string, end: CallEnd, seconds: number): void
  /** A statement, or the wait for a session. */
  database(kind: 'statement' | 'wait', seconds: number): void
  /** @param killedOn  path of the page whose check was terminated; null: it finished */
  verdict(seconds: number, killedOn: string | null): void
  cache: CountCacheRequest
  job(name: string, seconds: number, isOk: boolean): void
  /** Evaluated again at each reading. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The same, one value per label. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void
  readonly contentType: string
  text(): Promise<string>
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

/** Metrics of one server, in the text form of Prometheus. */
export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'crm_call_seconds',
    help: 'Calls by route and how they ended',
    labelNames: ['route', 'end'],
    buckets: SECONDS,
    registers,
  })
  const database = new Histogram({
    name: 'crm_database_seconds',
    help: 'Statements, and waits for a session',
    labelNames: ['what'],
    buckets: STATEMENT_SECONDS,
    registers,
  })
  const verdicts = new Histogram({
    name: 'crm_verdict_seconds',
    help: 'Checks of submissions by their form pages',
    buckets: SECONDS,
    registers,
  })
  const killed = new Counter({
    name: 'crm_hooks_killed_total',
    help: 'Checks that ran over their budget and were ended, by the page they stand on',
    labelNames: ['page'],
    registers,
  })
  const caches = new Counter({
    name: 'crm_cache_total',
    help: 'What was asked of what is kept in memory (sessions, modules of tenants, numbers of home), and whether it was there',
    labelNames: ['cache', 'there'],
    registers,
  })
  const jobs = new Histogram({
    name: 'crm_job_seconds',
    help: 'Runs of jobs by name and how they ended',
    labelNames: ['job', 'end'],
    buckets: SECONDS,
    registers,
  })
  return {
    call: (route, end, seconds) => calls.observe({ route, end }, seconds),
    database: (kind, seconds) => database.observe({ what: kind }, seconds),
    verdict(seconds, killedOn) {
      verdicts.observe(seconds)
      if (killedOn !== null) killed.inc({ page: killedOn })
    },
    cache: (cache, isThere) => caches.inc({ cache, there: isThere ? 'yes' : 'no' }),
    job: (job, seconds, isOk) => jobs.observe({ job, end: isOk ? 'ok' : 'failed' }, seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
    gauges(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const values = await read()
          this.reset()
          for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value)
        },
      })
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
