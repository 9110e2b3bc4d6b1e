import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** At most `max` calls per minute and key; counted on this server (`shared-limit.ts`: on all). */
interface Limit {
  readonly max: number
  readonly by: 'user'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Beside the 600 calls per minute each user has (DOMAIN 8.7). */
    readonly limit?: Limit
  }
}

/** Counts a call; refuses with 429 and `data.retryAfter` (seconds) when there were too many. */
export type CountCall = (request: FastifyRequest) => Promise<void>

export const MINUTE_MS = 60_000
const PER_USER: Limit = { max: 600, by: 'user' }

/** Prepares counting; call before any limit is made. */
export async function addLimits(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false })
}

/** A limit counted by a key of the caller's choice. */
function createLimit(
  app: FastifyInstance,
  max: number,
  keyOf: (request: FastifyRequest) => string,
): CountCall {
  const count = app.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator: keyOf })
  return async (request) => {
    const found = await count(request)
    if (found.isAllowed || !found.isExceeded) return
    refuseTooMany(found.ttlInSeconds)
  }
}

/** @param seconds  until there may be another call */
export function refuseTooMany(seconds: number): never {
  return refuse(429, 'RATE_LIMIT', text('call.rate-limit', { seconds }), { data: { retryAfter: seconds } })
}

/** Counts each call of a user, and of a route that names its own limit. Runs after the guard. */
export function createCallCounter(app: FastifyInstance): CountCall {
  const everything = createLimit(app, PER_USER.max, personOf)
  const byRoute = new Map<string, CountCall>()
  return async (request) => {
    await everything(request)
    const { limit } = request.routeOptions.config
    if (limit === undefined) return
    const route = request.routeOptions.url ?? ''
    const count = byRoute.get(route) ?? createLimit(app, limit.max, personOf)
    byRoute.set(route, count)
    await count(request)
  }
}

const personOf = ({ caller, ip }: FastifyRequest): string => (caller === null ? ip : `user ${caller.userId}`)
