import type { FastifyRequest } from 'fastify'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { createMinuteCounts } from './minute-counts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum calls of this route per minute and person, in addition to the limit of all their calls. */
    readonly limit?: number
  }
}

/** Counts a call; refuses with 429 and `data.retryAfter` (seconds) if there were too many. */
export type CountCall = (request: FastifyRequest) => Promise<void>

/** Maximum calls per minute and person (DOMAIN 8.7). */
const CALLS_PER_PERSON = 600

/** Limits the calls per minute and person, counted on this server (`shared-limit.ts`: on all). */
function createLimit(max: number): CountCall {
  const counts = createMinuteCounts()
  return async (request) => {
    const { count, seconds } = counts.add(personOf(request))
    if (count > max) refuseTooMany(seconds)
  }
}

/** @param seconds  until the next call is possible */
export function refuseTooMany(seconds: number): never {
  return refuse(429, 'RATE_LIMIT', text('call.rate-limit', { seconds }), { data: { retryAfter: seconds } })
}

/** Counts each call of a user, and calls of routes with their own limit. Runs after the guard. */
export function createCallCounter(): CountCall {
  const everything = createLimit(CALLS_PER_PERSON)
  const byRoute = new Map<string, CountCall>()
  return async (request) => {
    await everything(request)
    const { limit } = request.routeOptions.config
    if (limit === undefined) return
    const route = request.routeOptions.url ?? ''
    const count = byRoute.get(route) ?? createLimit(limit)
    byRoute.set(route, count)
    await count(request)
  }
}

const personOf = ({ caller, ip }: FastifyRequest): string => (caller === null ? ip : `user ${caller.userId}`)
