import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { tokenOf } from '../kernel/auth/guard.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Verdicts } from '../kernel/forms/verdicts.ts'
import { openStreams } from '../kernel/live/stream.ts'
import type { CallEnd, Metrics } from '../kernel/metrics/metrics.ts'
import type { Traces } from '../kernel/metrics/traces.ts'
import type { PageLibrary } from '../kernel/pages/library.ts'
import { isToken } from '../kernel/security/is-token.ts'

/** Counts every call. */
export function countCalls(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { config, url = 'unknown' } = request.routeOptions
    // The duration of a stream depends on its reader.
    if (config.isHealth !== true && !url.endsWith('/stream'))
      metrics.call(url, endOf(request, reply), reply.elapsedTime / 1000)
    done()
  })
}

function endOf(request: FastifyRequest, reply: FastifyReply): CallEnd {
  if (reply.statusCode === 503) return 'unavailable'
  if (reply.statusCode >= 500) return 'failed'
  return request.refusal === null && reply.statusCode < 400 ? 'ok' : 'refused'
}

/** Traces every call except health checks and streams. @param trusts  whether trace ids of incoming headers are accepted */
export function traceCalls(app: FastifyInstance, traces: Traces, trusts: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url = 'unknown' } = request.routeOptions
    if (config.isHealth === true || url.endsWith('/stream')) return done()
    const parent = request.headers.traceparent
    const span = traces.request(
      `${request.method} ${url}`,
      trusts && typeof parent === 'string' ? parent : undefined,
    )
    if (span !== null)
      reply.raw.once('close', () =>
        span.end(
          {
            'http.route': url,
            'http.response.status_code': reply.statusCode,
            'crm.code': request.refusal?.code ?? 200,
            'crm.request_id': request.id,
          },
          reply.statusCode >= 500,
        ),
      )
    done()
  })
}

/** Wraps verdicts so that each one is a span of its call's trace. */
export function tracedVerdicts(verdicts: Verdicts, traces: Traces): Verdicts {
  return {
    ...verdicts,
    async judge(...question) {
      const span = traces.span('verdict')
      const judgement = await verdicts.judge(...question)
      span?.end({ 'crm.page': question[1].path }, 'over' in judgement)
      return judgement
    },
  }
}

/** Wraps verdicts so that their duration is measured. */
export function timedVerdicts(verdicts: Verdicts, metrics: Metrics): Verdicts {
  return {
    ...verdicts,
    async judge(...question) {
      const begun = performance.now()
      const judgement = await verdicts.judge(...question)
      metrics.verdict((performance.now() - begun) / 1000, 'over' in judgement ? question[1].path : null)
      return judgement
    },
  }
}

/** Gauges that are computed when metrics are read. */
export function addGauges(
  metrics: Metrics,
  { database, pages }: { database: Database; pages: Pick<PageLibrary, 'broken'> },
): void {
  metrics.gauge('crm_streams', 'Streams that are open', openStreams)
  metrics.gauge(
    'crm_pages_with_problems',
    'Pages under schemas/ that are not as they should be',
    () => pages.broken().length,
  )
  const { usage } = database
  if (usage !== undefined)
    metrics.gauges('crm_database_sessions', 'Sessions with the database', 'state', async () => ({
      ...usage(),
    }))
  const { reads } = database
  if (reads !== undefined)
    metrics.gauges(
      'crm_reads',
      'Lists and statistics since the start, by who answered them: the standby, or the database in its place',
      'from',
      async () => ({ ...reads() }),
    )
  metrics.gauges('crm_work', 'Imports, exports and transfers, over all servers', 'status', () =>
    workInLine(database),
  )
  metrics.gauge('crm_pushes', 'Messages to devices that are not sent yet, over all servers', () =>
    pushesInLine(database),
  )
  metrics.gauges(
    'crm_files',
    'Files that are deleted and whose bytes are still there (going), and old ones that nobody names (unnamed)',
    'state',
    () => filesToGo(database),
  )
}

/** Both counts use a partial index. */
async function filesToGo(database: Database): Promise<Readonly<Record<string, number>>> {
  const { rows } = await database.system((trx) =>
    sql<{ going: number; unnamed: number }>`select
      (select count(*)::int from file where deleted_at is not null and gone_at is null) as going,
      (select count(*)::int from file where unnamed_at is not null and deleted_at is null) as unnamed`.execute(
      trx,
    ),
  )
  return { going: 0, unnamed: 0, ...rows[0] }
}

async function workInLine(database: Database): Promise<Readonly<Record<string, number>>> {
  const { rows } = await database.system((trx) =>
    sql<{ status: string; n: number }>`select status, count(*)::int as n from work
      where status in ('waiting', 'running') group by status`.execute(trx),
  )
  return { waiting: 0, running: 0, ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) }
}

async function pushesInLine(database: Database): Promise<number> {
  const { rows } = await database.system((trx) =>
    sql<{ n: number }>`select count(*)::int as n from push_task`.execute(trx),
  )
  return rows[0]?.n ?? 0
}

/** `/metrics` on the API port, for callers with the token. */
export function addMetricsRoute(app: FastifyInstance, metrics: Metrics, token: string): void {
  app.get('/metrics', { config: { raw: true, isHealth: true } }, async (request, reply) => {
    if (!isToken(tokenOf(request) ?? '', token)) return reply.code(404).type('text/plain').send('not found')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** `/metrics` on a separate port, without a token. */
export async function listenForMetrics(
  metrics: Metrics,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/metrics`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
