import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { TracePlace } from '../config/tracing.ts'

/** The context of a running request. */
interface Context {
  readonly traceId: string
  readonly spanId: string
}

type Attributes = Readonly<Record<string, string | number>>

/** A started span. */
interface OpenSpan {
  end(attributes?: Attributes, failed?: boolean): void
}

/** Records how long parts of a request took. */
export interface Traces {
  /** Starts the span of a request; work from here on belongs to it. @param parent  `traceparent` of the caller, if it is trusted */
  request(name: string, parent?: string): OpenSpan | null
  /** Starts a span below the current one; null if nothing is traced. */
  span(name: string): OpenSpan | null
  /** Sends the waiting spans. */
  flush(): Promise<void>
  close(): Promise<void>
}

const SEND_MS = 2_000
const MAX_BATCH = 500
/** Maximum number of waiting spans: an unreachable collector must not cost memory. */
const MAX_WAITING = 5_000
const TIMEOUT_MS = 5_000
const [SERVER, INTERNAL] = [2, 1]
const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * OpenTelemetry traces. Names and attributes contain routes, statements without their values, and names of pages and hooks, but no
 * data of tenants.
 *
 * @param onError  called if the collector rejects the spans
 */
export function createTraces(place: TracePlace, version: string, onError: (error: unknown) => void): Traces {
  const current = new AsyncLocalStorage<Context>()
  let waiting: object[] = []

  function begin(name: string, kind: number, context: Context, parentId: string | null): OpenSpan {
    const started = process.hrtime.bigint()
    const startedAt = BigInt(Date.now()) * 1_000_000n
    return {
      end(attributes = {}, failed = false) {
        if (waiting.length >= MAX_WAITING) return
        waiting.push({
          ...context,
          ...(parentId === null ? {} : { parentSpanId: parentId }),
          name,
          kind,
          startTimeUnixNano: String(startedAt),
          endTimeUnixNano: String(startedAt + process.hrtime.bigint() - started),
          attributes: Object.entries(attributes).map(([key, value]) => ({
            key,
            value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
          })),
          status: failed ? { code: 2 } : {},
        })
      },
    }
  }
  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await send(place, version, spans).catch(onError)
    }
  }
  const timer = setInterval(() => void flush(), SEND_MS)
  timer.unref()

  return {
    request(name, parent = '') {
      const [, traceId, spanId, flags] = PARENT.exec(parent) ?? []
      const isWanted =
        flags === undefined ? Math.random() < place.share : (Number.parseInt(flags, 16) & 1) === 1
      if (!isWanted) return null
      const context = { traceId: traceId ?? newHex(16), spanId: newHex(8) }
      current.enterWith(context)
      return begin(name, SERVER, context, spanId ?? null)
    },
    span(name) {
      const above = current.getStore()
      if (above === undefined) return null
      return begin(name, INTERNAL, { traceId: above.traceId, spanId: newHex(8) }, above.spanId)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const newHex = (bytes: number): string => randomBytes(bytes).toString('hex')

async function send(
  { endpoint, headers }: TracePlace,
  version: string,
  spans: readonly object[],
): Promise<void> {
  const answer = await fetch(`${endpoint}/v1/traces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body: JSON.stringify({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'vform-crm' } },
              { key: 'service.version', value: { stringValue: version } },
            ],
          },
          scopeSpans: [{ scope: { name: 'vform-crm' }, spans }],
        },
      ],
    }),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the collector of traces answers ${answer.status}`)
}
