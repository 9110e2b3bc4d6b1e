import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../kernel/db/database.ts'

/** Timeout of the database check, in milliseconds. */
const TIMEOUT_MS = 1_000

/** `/healthz`: the process answers. `/readyz`: the database answers too, within a second; otherwise HTTP 503. */
export function addHealth(app: FastifyInstance, database: Database): void {
  const isAnswering = createProbe(database)
  app.get('/healthz', { config: { raw: true, isHealth: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: { raw: true, isHealth: true } }, async (request, reply) => {
    const fault = app.draining.isOn ? 'the server is stopping' : await isAnswering()
    if (fault === null) return { status: 'ok', database: database.kind }
    request.log.warn({ why: fault }, 'not ready')
    reply.code(503).header('retry-after', '1')
    return { status: 'unavailable' }
  })
}

/** Queries the database. Concurrent checks share one query, so that queries do not pile up while the database is away. */
function createProbe(database: Database): () => Promise<string | null> {
  let open: Promise<string | null> | null = null
  const query = (): Promise<string | null> =>
    database
      .system((trx) => sql`select 1`.execute(trx))
      .then(
        () => null,
        (error: Error) => error.message,
      )
      .finally(() => {
        open = null
      })
  return async () => {
    open ??= query()
    const answered = new AbortController()
    const patience = setTimeout(TIMEOUT_MS, `no answer in ${TIMEOUT_MS} ms`, { signal: answered.signal })
    try {
      return await Promise.race([open, patience])
    } finally {
      answered.abort()
      patience.catch(() => undefined)
    }
  }
}
