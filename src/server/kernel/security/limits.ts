import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** At most `max` calls per minute and key; counted on this server. */
export interface Limit {
  readonly max: number
  readonly by: 'user' | 'address'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Beside the 600 calls per minute each user has (DOMAIN 8.7). */
    readonly limit?: Limit
  }
}

/** Counts a call; refuses with 429 and `data.retryAfter` (seconds) when there were too many. */
export type CountCall = (request: FastifyRequest) => Promise<void>

const MINUTE_MS = 60_000
const PER_USER: Limit = { max: 600, by: 'user' }

/** Prepares counting; call before any limit is made. */
export async function addLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false })
}

/** A limit counted by a key of the caller's choice. */
export function createLimit(
  app: FastifyInstance,
  max: number,
  keyOf: (request: FastifyRequest) => string,
): CountCall {
  const count = app.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator: keyOf })
  return async (request) => {
    const found = await count(request)
    if (found.isAllowed || !found.isExceeded) return
    const seconds = found.ttlInSeconds
    refuse(429, 'RATE_LIMIT', text('call.rate-limit', { seconds }), { data: { retryAfter: seconds } })
  }
}

/** Counts each call of a user, and of a route that names its own limit. Runs after the guard. */
export function createCallCounter(app: FastifyInstance): CountCall {
  const everything = createLimit(app, PER_USER.max, keyBy('user'))
  const byRoute = new Map<string, CountCall>()
  return async (request) => {
    await everything(request)
    const { limit } = request.routeOptions.config
    if (limit === undefined) return
    const route = request.routeOptions.url ?? ''
    const count = byRoute.get(route) ?? createLimit(app, limit.max, keyBy(limit.by))
    byRoute.set(route, count)
    await count(request)
  }
}

function keyBy(by: Limit['by']): (request: FastifyRequest) => string {
  return (request) =>
    by === 'user' && request.caller !== null ? `user ${request.caller.userId}` : request.ip
}
