import fetchRetry from 'fetch-retry'
import { failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { isObject } from '../core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../core/ports.ts'
import { parseText, toOutcome } from './http-answer.ts'
import { createUploader, type Transfer } from './upload.ts'

/** Wire codes of PLATFORM 3.1, kept in `Failure.status`. */
const CODE = { timeout: 5, network: 5, abort: 600003 } as const
/** Time-out of a request that names none (spec §9). */
const GENERIC_TIMEOUT_MS = 60_000
const RETRIES = 2
const RETRY_STATUS = new Set([502, 503, 504])

export interface HttpOptions {
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How one file travels; default XMLHttpRequest, which reports progress. */
  readonly transfer?: Transfer
  /** Wait before the first repeat, doubled for the next; default 300. */
  readonly retryDelayMs?: number
}

/**
 * The Http port on `fetch`. Settles always: 2xx is `ok`, everything else a failure value. Repeats (at most twice, on network
 * faults and 502–504) only what may be sent twice: GET, HEAD, and writes that carry a `clientToken` (spec §8, CRM 0.7).
 * A request with an `Authorization` header follows no redirect, so a token never travels on.
 */
export function createHttp(options: HttpOptions = {}): Http {
  const raw = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init))
  const retrying = fetchRetry(raw)
  const uploader = createUploader(options.transfer)
  const retryDelayMs = options.retryDelayMs ?? 300

  async function send(request: HttpRequest): Promise<Outcome<HttpResponse>> {
    const deadline = createDeadline(request)
    const init = { ...buildInit(request), signal: deadline.signal }
    try {
      const response = await (isRepeatable(request)
        ? retrying(request.url, {
            ...init,
            retryDelay: (attempt: number) => retryDelayMs * 2 ** attempt,
            retryOn: (attempt: number, error: Error | null, answer: Response | null) =>
              attempt < RETRIES &&
              !deadline.signal.aborted &&
              (error !== null || RETRY_STATUS.has(answer?.status ?? 0)),
          })
        : raw(request.url, init))
      return toOutcome(
        response.status,
        Object.fromEntries(response.headers.entries()),
        parseText(await response.text()),
      )
    } catch (cause) {
      return { ok: false, error: deadline.reason(cause) }
    } finally {
      deadline.clear()
    }
  }
  return { send, upload: uploader.upload }
}

/** True when sending the request a second time cannot do its work twice. */
export function isRepeatable(request: HttpRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  return isObject(request.body) && typeof request.body.clientToken === 'string'
}

function buildInit(request: HttpRequest): RequestInit {
  const headers: Record<string, string> = { ...request.headers }
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  if (hasBody && !names.includes('content-type')) headers['Content-Type'] = 'application/json'
  const init: RequestInit = {
    method: request.method,
    headers,
    credentials: 'omit',
    redirect: request.redirect ?? (names.includes('authorization') ? 'error' : 'follow'),
  }
  return hasBody ? { ...init, body: encodeBody(request.body, headers) } : init
}

function encodeBody(body: Json | undefined, headers: Readonly<Record<string, string>>): string {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded') && isObject(body)) {
    return new URLSearchParams(
      Object.entries(body).map(([name, value]) => [name, formText(value)]),
    ).toString()
  }
  return JSON.stringify(body)
}

function formText(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** One abort signal for the caller's own abort and the time-out, and the failure that tells them apart. */
function createDeadline(request: HttpRequest) {
  const controller = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    controller.abort()
  }, request.timeoutMs ?? GENERIC_TIMEOUT_MS)
  if (request.signal?.aborted) controller.abort()
  request.signal?.addEventListener('abort', () => controller.abort())
  return {
    signal: controller.signal,
    clear: () => clearTimeout(timer),
    reason: (cause: unknown) => {
      if (timedOut) return failure('TIMEOUT', undefined, { status: CODE.timeout, cause })
      if (request.signal?.aborted) return failure('ABORTED', undefined, { status: CODE.abort, cause })
      return failure('NETWORK', undefined, { status: CODE.network, cause })
    },
  }
}
