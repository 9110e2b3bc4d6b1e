import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { tokenOf } from '../auth/guard.ts'
import { innerCall } from '../auth/inner-reads.ts'
import { Refusal, refused } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isApiPath } from './answers.ts'

/** Decides which calls are accepted under overload. */
export interface Shedder {
  /** False: reject it. An accepted call is counted until {@link end}. @param whose  the tenant it is for, if known */
  begin(kind: CallKind, whose: string): boolean
  end(kind: CallKind, whose: string): void
}

/** Writes are rejected last, because somebody has typed their content. */
export type CallKind = 'read' | 'write'

/** Maximum wait that is accepted: the running work may not exceed what is completed in this time. */
const WAIT_MS: Readonly<Record<CallKind, number>> = { read: 500, write: 900 }
/** Number of calls that are always accepted: a few slow ones are no overload. */
const MIN_CALLS = 32
/** Number of writes that are always accepted, whatever the number of reads. */
const WRITES = 16
const WINDOW_MS = 500
/** Assumed calls per second before anything was measured. */
const FIRST_RATE = 100
/** A time window was busy if there were never fewer calls running. */
const BUSY = 8

/**
 * Measures how many calls the server completes per second while it is busy, and accepts as many as it completes in the acceptable wait. A
 * rejection costs almost nothing, so that the rest is answered as if there was no overload. Each of several tenants gets an
 * equal share, whatever the others request; unused shares are available to all.
 *
 * @param now  milliseconds of a monotonic clock
 */
export function createShedder(now: () => number): Shedder {
  const slots = new Map<string, number>()
  let underWay = 0
  let writes = 0
  let rate = FIRST_RATE
  let since = now()
  let ended = 0
  let fewest = 0

  const measure = (): void => {
    const ms = now() - since
    if (ms < WINDOW_MS) return
    // A window that was not busy shows the demand, not the capacity.
    if (fewest >= BUSY) rate = (rate + (ended * 1000) / ms) / 2
    since = now()
    ended = 0
    fewest = underWay
  }
  return {
    begin(kind, whose) {
      measure()
      const maxCalls = Math.max(MIN_CALLS, (rate * WAIT_MS[kind]) / 1000)
      const mine = slots.get(whose) ?? 0
      const share = maxCalls / (mine === 0 ? slots.size + 1 : slots.size)
      const isFull = underWay >= maxCalls && mine + 1 > share
      if (isFull && (kind === 'read' || writes >= WRITES)) return false
      underWay += 1
      slots.set(whose, mine + 1)
      if (kind === 'write') writes += 1
      return true
    },
    end(kind, whose) {
      underWay -= 1
      const remaining = (slots.get(whose) ?? 1) - 1
      if (remaining === 0) slots.delete(whose)
      else slots.set(whose, remaining)
      if (kind === 'write') writes -= 1
      ended += 1
      fewest = Math.min(fewest, underWay)
      measure()
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** It exceeded the capacity; it has no log line of its own. */
    isTurnedAway?: boolean
  }
}

/** Seconds after which a rejected call should be retried. */
const RETRY_AFTER = 2
const message = text('call.server')
/** Created once: a rejection must cost almost nothing. */
const AWAY = JSON.stringify({
  error: message,
  ...refused(new Refusal(503, { type: 'UNAVAILABLE' }, message, { retryAfter: RETRY_AFTER })),
})
const AWAY_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(AWAY),
  'retry-after': String(RETRY_AFTER),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
/**
 * A call whose body takes longer to arrive does not count as running work meanwhile: slow phones, and clients that never finish, must not block
 * others.
 */
const BODY_MS = 250

/** A running call; while its body is missing, with the timer that stops counting it. */
interface Counted {
  readonly whose: string
  timer: NodeJS.Timeout | null
}

/** The tenant of a token that was accepted before; all unknown callers together count as one tenant. */
export type TenantOf = (token: string) => string | null
const UNKNOWN = ''

const LOG_INTERVAL_MS = 10_000

/** One line in ten seconds for all rejections. */
function createOverloadLog(): (log: FastifyBaseLogger) => void {
  let count = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return (log) => {
    count += 1
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    log.warn({ calls: count }, 'calls were turned away: more is asked for than can be done')
    loggedAt = performance.now()
    count = 0
  }
}

/** Rejects API calls while there are more than the server can handle: 503 with Retry-After, at once. */
export function addShedding(app: FastifyInstance, tenantOf: TenantOf): void {
  app.decorateRequest('isTurnedAway', false)
  const logOverload = createOverloadLog()
  const shedder = createShedder(() => performance.now())
  const counted = new Map<FastifyRequest, Counted>()
  const end = (request: FastifyRequest): void => {
    const call = counted.get(request)
    if (call === undefined) return
    if (call.timer !== null) clearTimeout(call.timer)
    counted.delete(request)
    shedder.end(kindOf(request), call.whose)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiPath(request.url) || isStream(request) || innerCall() !== null) return done()
    const whose = tenantOf(tokenOf(request) ?? '') ?? UNKNOWN
    if (!shedder.begin(kindOf(request), whose)) {
      logOverload(request.log)
      request.isTurnedAway = true
      reply.hijack()
      reply.raw.writeHead(503, AWAY_HEADERS).end(AWAY)
      return
    }
    const hasBody = request.method === 'POST'
    const timer = hasBody ? setTimeout(() => end(request), BODY_MS).unref() : null
    counted.set(request, { whose, timer })
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const call = counted.get(request)
    if (call?.timer) clearTimeout(call.timer)
    if (call) call.timer = null
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    end(request)
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    end(request)
    done()
  })
}

const isStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.endsWith('/stream') === true

/** Reads by POST, used because their request does not fit into an address. */
const ASKS = /\/(?:list|count|check|preview|match|nearby|board|changes|options|expand)$/

function kindOf({ method, routeOptions: { url = '' } }: FastifyRequest): CallKind {
  return method === 'GET' || ASKS.test(url) ? 'read' : 'write'
}
