import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from './db/database.ts'

/** `/healthz`: the process answers. `/readyz`: the database does too, otherwise HTTP 503 (DESIGN 9). */
export function addHealth(app: FastifyInstance, database: Database): void {
  app.get('/healthz', { config: { raw: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: { raw: true } }, async (request, reply) => {
    try {
      await database.system((trx) => sql`select 1`.execute(trx))
      return { status: 'ok', database: database.kind }
    } catch (error) {
      request.log.error({ err: error }, 'the database does not answer')
      reply.code(503)
      return { status: 'unavailable' }
    }
  })
}
