import type { FastifyInstance } from 'fastify'
import type { Services } from '../calls/resource.ts'
import { auditOf } from '../records/write-once.ts'
import { Refusal } from '../text/envelope.ts'

/** Minimum interval between two log entries for the same person at the same call. */
const QUIET_MS = 600_000
const MAX_REMEMBERED = 10_000

/** Records who was refused for lack of permission. The call does not wait for it. */
export function addRefusalLog(app: FastifyInstance, { database, log, now }: Services): void {
  const logged = new Map<string, number>()
  app.addHook('onError', async (request, _reply, thrown: unknown) => {
    const { caller } = request
    if (caller === null || !(thrown instanceof Refusal) || thrown.code !== 405) return
    const path = request.routeOptions.url ?? ''
    const key = `${caller.userId} ${path}`
    if (now() - (logged.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    if (logged.size >= MAX_REMEMBERED) logged.clear()
    logged.set(key, now())
    const detail = { path, right: thrown.error.detail ?? '' }
    database
      .tenant(caller, (trx) =>
        auditOf(trx, caller, request, { action: 'call:refused', entity: 'call' }, { detail }),
      )
      .catch((fault: unknown) => log.error({ err: fault }, 'a refusal was not written down'))
  })
}
