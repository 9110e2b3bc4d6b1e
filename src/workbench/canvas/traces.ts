import type { AbortLike, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'

/** A request as sent, and its answer. */
export interface Sent {
  readonly request: HttpRequest
  /** Null if it was not sent, because it writes. */
  readonly answer: Outcome<HttpResponse> | null
}

const traces = new WeakMap<AbortLike, (sent: Sent) => void>()

/** A marker for a request whose transfers are reported. */
export function traced(report: (sent: Sent) => void): AbortSignal {
  const { signal } = new AbortController()
  traces.set(signal, report)
  return signal
}

/** Reports to whoever set the marker. */
export function reportTrace({ signal, ...request }: HttpRequest, answer: Sent['answer']): void {
  if (signal !== undefined) traces.get(signal)?.({ request, answer })
}
