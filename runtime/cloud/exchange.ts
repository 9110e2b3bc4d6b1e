import type { Failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../core/ports.ts'

/** A response, whatever its status. */
export interface Reply {
  /** 0 without a response. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly data: Json
  /** `request:ok`, or `request:fail` with its reason (PROTOCOL 3.1). */
  readonly errMsg: string
  readonly failure?: Failure
}

/** Sends a request with a token or signature. Redirects are not followed, so that neither is sent elsewhere. Never rejects. */
export async function exchange(http: Http, request: HttpRequest): Promise<Reply> {
  return toReply('request', await http.send({ redirect: 'error', ...request }))
}

/** Converts an outcome of the Http port to the framework's `{statusCode, data, errMsg}`. */
export function toReply(api: 'request' | 'uploadFile', outcome: Outcome<HttpResponse>): Reply {
  if (outcome.ok) return { ...outcome.value, errMsg: `${api}:ok` }
  const error = outcome.error
  const answered = error.code === 'HTTP_STATUS'
  return {
    status: answered ? (error.status ?? 0) : 0,
    headers: error.headers ?? {},
    data: error.data ?? null,
    errMsg: answered ? `${api}:ok` : `${api}:fail${reasonOf(error)}`,
    failure: error,
  }
}

function reasonOf(error: Failure): string {
  if (error.code === 'TIMEOUT') return ' timeout'
  return error.code === 'ABORTED' ? ' abort' : ''
}
