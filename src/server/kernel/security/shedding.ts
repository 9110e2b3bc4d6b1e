import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { tokenOf } from '../auth/guard.ts'
import { innerCall } from '../auth/inner-reads.ts'
import { Refusal, refused } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isApiPath } from './answers.ts'

/** Who is let in while there is more to do than can be done. */
export interface Shedder {
  /** False: turn it away. A call that is let in is counted until {@link end}. @param whose  the tenant it is for, as far as it is known */
  begin(kind: CallKind, whose: string): boolean
  end(kind: CallKind, whose: string): void
}

/** Writes are turned away last: somebody has typed what they carry. */
export type CallKind = 'read' | 'write'

/** Maximum wait that is accepted: the work under way may not exceed what is done in this time. */
const WAIT_MS: Readonly<Record<CallKind, number>> = { read: 500, write: 900 }
/** Calls that are always let in: a few slow ones are no overload. */
const LEAST = 32
/** Writes that are always let in, whatever the number of reads. */
const WRITES = 16
const WINDOW_MS = 500
/** Calls per second before anything was measured. */
const FIRST_RATE = 100
/** A window was busy when there was never less under way. */
const BUSY = 8

/**
 * Learns how many calls the server ends per second while it is busy, and lets in as many as it ends in the time somebody may wait. What
 * is turned away costs next to nothing, so that the rest is answered as if there were no more of it. Of several tenants each is let in to an
 * equal share of it, whatever the others ask for; what they leave may be had by all.
 *
 * @param now  milliseconds of a clock that only goes forward
 */
export function createShedder(now: () => number): Shedder {
  const held = new Map<string, number>()
  let underWay = 0
  let writes = 0
  let rate = FIRST_RATE
  let since = now()
  let ended = 0
  let fewest = 0

  const measure = (): void => {
    const ms = now() - since
    if (ms < WINDOW_MS) return
    // A window that was not busy says how much was asked for, not how much can be done.
    if (fewest >= BUSY) rate = (rate + (ended * 1000) / ms) / 2
    since = now()
    ended = 0
    fewest = underWay
  }
  return {
    begin(kind, whose) {
      measure()
      const most = Math.max(LEAST, (rate * WAIT_MS[kind]) / 1000)
      const mine = held.get(whose) ?? 0
      const share = most / (mine === 0 ? held.size + 1 : held.size)
      const isFull = underWay >= most && mine + 1 > share
      if (isFull && (kind === 'read' || writes >= WRITES)) return false
      underWay += 1
      held.set(whose, mine + 1)
      if (kind === 'write') writes += 1
      return true
    },
    end(kind, whose) {
      underWay -= 1
      const left = (held.get(whose) ?? 1) - 1
      if (left === 0) held.delete(whose)
      else held.set(whose, left)
      if (kind === 'write') writes -= 1
      ended += 1
      fewest = Math.min(fewest, underWay)
      measure()
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** It was one too many; it has no line in the log of its own. */
    isTurnedAway?: boolean
  }
}

/** Seconds after which a call that was turned away should come again. */
const RETRY_AFTER = 2
const message = text('call.server')
/** Made once: turning away must cost next to nothing. */
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
/** Whose body takes longer to arrive is not work under way meanwhile: slow phones, and who never ends their call, must not keep others out. */
const BODY_MS = 250

/** A call under way; while its body is not there yet with the timer that stops counting it. */
interface Counted {
  readonly whose: string
  timer: NodeJS.Timeout | null
}

/** The tenant of a token that was let in before; whoever else asks counts as one. */
export type TenantOf = (token: string) => string | null
const UNKNOWN = ''

const TELL_MS = 10_000

/** One line in ten seconds for all that were turned away. */
function createTeller(): (log: FastifyBaseLogger) => void {
  let count = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return (log) => {
    count += 1
    if (performance.now() - toldAt < TELL_MS) return
    log.warn({ calls: count }, 'calls were turned away: more is asked for than can be done')
    toldAt = performance.now()
    count = 0
  }
}

/** Turns calls of the interface away while more is asked for than can be done: 503 with Retry-After, at once. */
export function addShedding(app: FastifyInstance, tenantOf: TenantOf): void {
  app.decorateRequest('isTurnedAway', false)
  const tell = createTeller()
  const shedder = createShedder(() => performance.now())
  const counted = new Map<FastifyRequest, Counted>()
  const end = (request: FastifyRequest): void => {
    const one = counted.get(request)
    if (one === undefined) return
    if (one.timer !== null) clearTimeout(one.timer)
    counted.delete(request)
    shedder.end(kindOf(request), one.whose)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiPath(request.url) || isStream(request) || innerCall() !== null) return done()
    const whose = tenantOf(tokenOf(request) ?? '') ?? UNKNOWN
    if (!shedder.begin(kindOf(request), whose)) {
      tell(request.log)
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
    const one = counted.get(request)
    if (one?.timer) clearTimeout(one.timer)
    if (one) one.timer = null
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

/** Reads that are asked by POST, for what they ask does not fit into an address. */
const ASKS = /\/(?:list|count|check|preview|match|nearby|board|changes|options|expand)$/

function kindOf({ method, routeOptions: { url = '' } }: FastifyRequest): CallKind {
  return method === 'GET' || ASKS.test(url) ? 'read' : 'write'
}
