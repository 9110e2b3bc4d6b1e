import { wordsOf } from '../../../runtime/core/data/failure-words.ts'
import type { Failure, FailureCode } from '../../../runtime/core/errors.ts'
import { failure } from '../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Feedback, Http, HttpResponse, Outcome, Text } from '../../../runtime/core/ports.ts'

/** `meta.code` values that end the session (DOMAIN 0.1). */
const SESSION_OVER = new Set([401, 402, 403])
/** `error.type` of every refusal until the password is changed. */
export const PASSWORD_DUE = 'PASSWORD_CHANGE'
/** Failures in which a server did answer. */
const REACHED: ReadonlySet<FailureCode> = new Set(['HTTP_STATUS', 'ANSWER_INVALID'])
const isLoss = ({ code }: Failure): boolean => code === 'NETWORK' || code === 'TIMEOUT'
const CODES: Readonly<Record<number, FailureCode>> = { 400: 'INVALID_INPUT', 409: 'CONFLICT' }

export interface ProductOptions {
  readonly http: Http
  /** Our own origin, as in `location.origin`. */
  readonly origin: string
  /** Paths of the product's calls, each ending in `/`. */
  readonly prefixes: readonly string[]
  readonly timeoutMs: number
  readonly token: () => string | null
  /** Sent with every product call: device, version, language (DOMAIN 8.1). */
  readonly headers: Readonly<Record<string, string>>
  readonly feedback: Feedback
  readonly text: Text
  /** The server has ended the session of `token`. */
  readonly onSessionOver: (message: string, token: string | null) => void
  /** The server refuses all other calls until the password is changed; `message` is its text. */
  readonly onPasswordDue: (message: string) => void
  /** The user's rights have changed: `X-Auth-Refresh: 1` (DOMAIN 2.5). */
  readonly onRightsChanged: () => void
  /** The session has a new token: `X-Auth-Token`, `X-Auth-Expires` (ms since the epoch). */
  readonly onRenewed: (token: string, expiresAt: number, previous: string | null) => void
  /** False while the shell shows that the network is lost: the device reports none, or the last call did not reach the server. */
  readonly online: () => boolean
  /** After each product call: whether the server could be reached. */
  readonly onReach: (reached: boolean) => void
  /** With each answer of the server: its time. */
  readonly onDate: (date: string | undefined) => void
}

/**
 * The product's protocol on the Http port (SHELL 4.3): token header, envelope, end of session, toasts. Calls to other addresses pass through without
 * the token. `quiet` is for the shell's own reads: network and status errors show no toast.
 */
export function createProductHttp(options: ProductOptions): { readonly http: Http; readonly quiet: Http } {
  /** Number of answers so far: a call that fails while others are answered does not mean that there is no network. */
  let answers = 0
  const isProduct = (url: string) => isProductUrl(url, options.origin, options.prefixes)

  const withHeaders = (headers: Readonly<Record<string, string>> | undefined, token: string | null) => ({
    ...headers,
    ...options.headers,
    ...(token === null ? {} : { Authorization: token }),
  })

  function settle(
    outcome: Outcome<HttpResponse>,
    token: string | null,
    loud: boolean,
    before: number,
  ): Outcome<HttpResponse> {
    const reached = outcome.ok ? outcome.value.keptAt === undefined : REACHED.has(outcome.error.code)
    if (reached) answers += 1
    // A cancelled call says nothing about the network.
    if (reached || (before === answers && (outcome.ok || outcome.error.code !== 'ABORTED')))
      options.onReach(reached)
    if (!outcome.ok) {
      const fault = readEnvelope(outcome.error.data ?? null)
      if (fault !== null && SESSION_OVER.has(fault.code)) return endSession(fault, token)
      return { ok: false, error: reportFailure(outcome.error, loud) }
    }
    // Our server only sends JSON: a text comes from a proxy, or is a truncated answer.
    if (typeof outcome.value.data === 'string') {
      return {
        ok: false,
        error: reportFailure(failure('ANSWER_INVALID', undefined, { status: outcome.value.status }), loud),
      }
    }
    const {
      'x-auth-refresh': refresh,
      'x-auth-token': renewed,
      'x-auth-expires': expires,
      date,
    } = outcome.value.headers
    if (reached) options.onDate(date)
    if (renewed !== undefined && expires !== undefined) options.onRenewed(renewed, Number(expires), token)
    if (refresh === '1') options.onRightsChanged()
    const fault = readEnvelope(outcome.value.data)
    if (fault === null) return outcome
    if (SESSION_OVER.has(fault.code)) return endSession(fault, token)
    const error = toFailure(fault)
    if (error.type !== PASSWORD_DUE) return { ok: false, error }
    options.onPasswordDue(error.message)
    return { ok: false, error: { ...error, shown: true } }
  }

  /** Called for the code in the envelope with or without the same status, since a proxy may change the status. */
  function endSession(fault: Fault, token: string | null): Outcome<never> {
    const message = fault.message === '' ? options.text('login.expired') : fault.message
    // A debug message: the console should stay free of warnings.
    console.debug('session over', fault.error)
    options.onSessionOver(message, token)
    return { ok: false, error: { ...toFailure(fault), code: 'SESSION_OVER', message, shown: true } }
  }

  function reportFailure(error: Failure, loud: boolean): Failure {
    if (error.code === 'ABORTED') return { ...error, shown: true }
    const message = wordsOf(error, options.text)
    if (loud) options.feedback.toast({ text: message })
    return { ...error, message, shown: loud }
  }

  function create(loud: boolean): Http {
    return {
      async send(request) {
        if (!isProduct(request.url)) return options.http.send(request)
        const [token, before] = [options.token(), answers]
        const outcome = await options.http.send({
          ...request,
          timeoutMs: request.timeoutMs ?? options.timeoutMs,
          headers: withHeaders(request.headers, token),
        })
        // Without a network the shell shows a notice anyway, and the part of the page that could not be read shows its own: a toast of it
        // would replace the one that tells where the user's input is.
        const isTold = request.keep === true && !options.online()
        const isOwn = request.tellsLoss === true && !outcome.ok && isLoss(outcome.error)
        return settle(outcome, token, loud && !isOwn && !isTold, before)
      },
      async upload(request) {
        if (!isProduct(request.url)) return options.http.upload(request)
        const [token, before] = [options.token(), answers]
        const outcome = await options.http.upload({
          ...request,
          headers: withHeaders(request.headers, token),
        })
        return settle(outcome, token, loud, before)
      },
    }
  }
  return { http: create(true), quiet: create(false) }
}

/** True only for our own origin and a path below one of `prefixes`, after the browser has normalised the url. */
export function isProductUrl(url: string, origin: string, prefixes: readonly string[]): boolean {
  if (!URL.canParse(url, origin)) return false
  const parsed = new URL(url, origin)
  const isOwnOrigin = parsed.origin === origin && parsed.username === '' && parsed.password === ''
  return isOwnOrigin && prefixes.some((prefix) => parsed.pathname.startsWith(prefix))
}

interface Fault {
  readonly code: number
  readonly message: string
  readonly error: JsonObject
  readonly data: Json
}

/** The error in the envelope; null for success and for answers without an envelope. */
function readEnvelope(body: Json): Fault | null {
  if (!isObject(body) || !isObject(body.meta) || typeof body.meta.code !== 'number') return null
  const { code, message, error } = body.meta
  if (code === 200) return null
  return {
    code,
    message: typeof message === 'string' ? message : '',
    error: isObject(error) ? error : {},
    data: body.data ?? null,
  }
}

function toFailure({ code, message, error, data }: Fault): Failure {
  if (code === 400) console.debug('400', error)
  return failure(
    CODES[code] ?? 'REFUSED',
    { reason: message },
    {
      status: code,
      data,
      // Empty if the server sent no text; the code that shows it has its own default (SHELL 4.3).
      message,
      ...(typeof error.type === 'string' ? { type: error.type } : {}),
      ...(isObject(error.fields) ? { fields: textsOf(error.fields) } : {}),
    },
  )
}

function textsOf(fields: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}
