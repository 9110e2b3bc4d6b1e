import type { FastifyRequest } from 'fastify'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { createMinuteCounts } from './minute-counts.ts'

/** At most `max` calls per minute and key; counted on this server (`shared-limit.ts`: on all). */
interface Limit {
  readonly max: number
  readonly by: 'user'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** In addition to the 600 calls per minute of each user (DOMAIN 8.7). */
    readonly limit?: Limit
  }
}

/** Counts a call; refuses with 429 and `data.retryAfter` (seconds) if there were too many. */
export type CountCall = (request: FastifyRequest) => Promise<void>

const PER_USER: Limit = { max: 600, by: 'user' }

/** A limit counted by person. */
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
  const everything = createLimit(PER_USER.max)
  const byRoute = new Map<string, CountCall>()
  return async (request) => {
    await everything(request)
    const { limit } = request.routeOptions.config
    if (limit === undefined) return
    const route = request.routeOptions.url ?? ''
    const count = byRoute.get(route) ?? createLimit(limit.max)
    byRoute.set(route, count)
    await count(request)
  }
}

const personOf = ({ caller, ip }: FastifyRequest): string => (caller === null ? ip : `user ${caller.userId}`)
