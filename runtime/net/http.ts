import { failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { isObject } from '../core/json.ts'
import type { Http, HttpRequest, HttpResponse, Outcome } from '../core/ports.ts'
import { createDeadline } from './deadline.ts'
import { parseText, toOutcome } from './http-answer.ts'
import { BodyTooLong, readBody } from './read-body.ts'
import { createUploader, type Transfer } from './upload.ts'

/** Wire code of a network fault (PROTOCOL 3.1), kept in `Failure.status`. */
const NETWORK = 5
/** No answer of ours is near this; a longer one is broken off and counts as unreadable. */
const MAX_BYTES = 32 * 1024 * 1024
const RETRIES = 2
/** Statuses whose answers have no body. */
const BODILESS = new Set([204, 205, 304])
const RETRY_STATUS = new Set([502, 503, 504])

export interface HttpOptions {
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How one file travels; default XMLHttpRequest, which reports progress. */
  readonly transfer?: Transfer
  /** Wait before the first repeat, doubled for the next; default 300. */
  readonly retryDelayMs?: number
  /** Longest answer that is read; default 32 MiB. A longer one is ANSWER_INVALID. */
  readonly mostBytes?: number
}

/**
 * The Http port on `fetch`. Settles always: 2xx is `ok`, everything else a failure value. Repeats (at most twice, on network
 * faults and on 502–504 that ask for no wait above 5 s) only what may be sent twice: GET, HEAD, and writes that carry a `clientToken`.
 * A request with an `Authorization` header follows no redirect, so a token never travels on.
 */
export function createHttp(options: HttpOptions = {}): Http {
  const send = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init))
  const uploader = createUploader(options.transfer)
  const { retryDelayMs = 300, mostBytes = MAX_BYTES } = options
  /** The whole answer, so that one cut in the middle counts as not answered and may be asked for again. */
  const fetchWhole: typeof fetch = async (input, init) => readWhole(await send(input, init), mostBytes)

  /** Repeats a call that got lost, or that a server refuses which is passing away, after growing pauses. */
  async function repeating(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    for (let left = RETRIES, pause = retryDelayMs; ; left -= 1, pause *= 2) {
      let wait = pause
      try {
        const answer = await fetchWhole(url, init)
        if (left === 0 || signal.aborted || !isPassing(answer)) return answer
        wait = Math.max(pause, requestedDelayMs(answer))
      } catch (cause) {
        if (left === 0 || signal.aborted || cause instanceof BodyTooLong) throw cause
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }

  async function attempt(request: HttpRequest): Promise<Outcome<HttpResponse>> {
    const deadline = createDeadline(request, NETWORK)
    const { signal } = deadline
    const init = { ...buildInit(request), signal }
    try {
      const fetcher = isRepeatable(request)
        ? repeating(request.url, init, signal)
        : fetchWhole(request.url, init)
      // Between two attempts nothing listens to the signal: who calls off does not wait for the next one.
      const response = await Promise.race([fetcher, deadline.aborted])
      return toOutcome(
        response.status,
        Object.fromEntries(response.headers.entries()),
        parseText(await response.text()),
      )
    } catch (cause) {
      if (cause instanceof BodyTooLong)
        return { ok: false, error: failure('ANSWER_INVALID', undefined, { cause }) }
      return deadline.reason(cause)
    } finally {
      deadline.clear()
    }
  }
  return { send: attempt, upload: uploader.upload }
}

/** Longest wait, asked for by `Retry-After`, that a caller sits through; a longer one is told at once. */
const MAX_WAIT_S = 5

const retryAfterSeconds = (answer: Response): number => {
  const seconds = Number(answer.headers.get('retry-after') ?? 0)
  return seconds > 0 ? seconds : 0
}

/** A server that has too much to do says when to come again. All do not come at once. */
const requestedDelayMs = (answer: Response): number =>
  retryAfterSeconds(answer) * 1000 * (1 + Math.random() / 2)

const isPassing = (answer: Response): boolean =>
  RETRY_STATUS.has(answer.status) && retryAfterSeconds(answer) <= MAX_WAIT_S

/** True when sending the request a second time cannot do its work twice. */
function isRepeatable(request: HttpRequest): boolean {
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

async function readWhole(response: Response, most: number): Promise<Response> {
  const body = joined(await readBody(response, most)) // no Blob: its reading would go through another process
  const { status, headers } = response
  return new Response(BODILESS.has(status) ? null : body, { status, headers })
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
