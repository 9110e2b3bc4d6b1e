import { failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import type { HttpResponse, Outcome } from '../core/ports.ts'

/** Status 2xx is an answer, anything else a failure that keeps status and data. */
export function toOutcome(
  status: number,
  headers: Readonly<Record<string, string>>,
  data: Json,
): Outcome<HttpResponse> {
  if (status >= 200 && status < 300) return { ok: true, value: { status, headers, data } }
  return { ok: false, error: failure('HTTP_STATUS', { status }, { status, headers, data }) }
}

/** Body as JSON; text that is not JSON stays text (PROTOCOL 3.1, dataType); an empty body is null. */
export function parseText(text: string): Json {
  if (text === '') return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
