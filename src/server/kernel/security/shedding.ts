import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { innerCall } from '../auth/inner-reads.ts'
import { Refusal, refused } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isApiPath } from './answers.ts'

/** Who is let in while there is more to do than can be done. */
export interface Shedder {
  /** False: turn it away. A call that is let in is counted until {@link end}. */
  begin(kind: CallKind): boolean
  end(kind: CallKind): void
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
 * is turned away costs next to nothing, so that the rest is answered as if there were no more of it.
 *
 * @param now  milliseconds of a clock that only goes forward
 */
export function createShedder(now: () => number): Shedder {
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
    begin(kind) {
      measure()
      const isFull = underWay >= Math.max(LEAST, (rate * WAIT_MS[kind]) / 1000)
      if (isFull && (kind === 'read' || writes >= WRITES)) return false
      underWay += 1
      if (kind === 'write') writes += 1
      return true
    },
    end(kind) {
      underWay -= 1
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

/** Calls under way, and for those whose body is not there yet the timer that stops counting them. */
type Counted = Map<FastifyRequest, NodeJS.Timeout | null>

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
export function addShedding(app: FastifyInstance): void {
  app.decorateRequest('isTurnedAway', false)
  const tell = createTeller()
  const shedder = createShedder(() => performance.now())
  const counted: Counted = new Map()
  const end = (request: FastifyRequest): void => {
    const timer = counted.get(request)
    if (timer === undefined) return
    if (timer !== null) clearTimeout(timer)
    counted.delete(request)
    shedder.end(kindOf(request))
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiPath(request.url) || isStream(request) || innerCall() !== null) return done()
    if (!shedder.begin(kindOf(request))) {
      tell(request.log)
      request.isTurnedAway = true
      reply.hijack()
      reply.raw.writeHead(503, AWAY_HEADERS).end(AWAY)
      return
    }
    const hasBody = request.method === 'POST'
    counted.set(request, hasBody ? setTimeout(() => end(request), BODY_MS).unref() : null)
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const timer = counted.get(request)
    if (timer) clearTimeout(timer)
    if (timer) counted.set(request, null)
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
