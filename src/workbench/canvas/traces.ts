import type { AbortLike, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'

/** What a request came to, as it went over the wire. */
export interface Sent {
  readonly request: HttpRequest
  /** Null for one that was not sent: it writes. */
  readonly answer: Outcome<HttpResponse> | null
}

const traces = new WeakMap<AbortLike, (sent: Sent) => void>()

/** A mark for a request of which every way over the wire is told. */
export function traced(tell: (sent: Sent) => void): AbortSignal {
  const { signal } = new AbortController()
  traces.set(signal, tell)
  return signal
}

/** Tells whoever asked for it. */
export function tellTrace({ signal, ...request }: HttpRequest, answer: Sent['answer']): void {
  if (signal !== undefined) traces.get(signal)?.({ request, answer })
}
