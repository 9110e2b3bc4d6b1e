import type { Json } from '../../../../runtime/core/json.ts'
import { isObject } from '../../../../runtime/core/json.ts'
import type { ConnectionMethod } from '../../../contract/connection.ts'
import type { AllowedAddresses } from '../../kernel/config/inner-addresses.ts'
import type { Sealer } from '../../kernel/config/sealed.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { addressOf, isWithin } from './address.ts'
import { type StoredConnection, secretContext } from './find-connection.ts'
import { OutgoingError } from './outgoing-error.ts'
import { type OutgoingRequest, type OutgoingResponse, sendOutgoing } from './outgoing-request.ts'
import { partKey } from './setting.ts'

/** A call made by a page. */
export interface ConnectionCall {
  readonly path: string
  readonly method: ConnectionMethod
  readonly body?: Json
}

/** What a call needs from the server. */
export interface CallTools {
  readonly reach: AllowedAddresses
  readonly sealer: Sealer
}

/** An answer with its headers. */
export interface CalledOutside {
  readonly status: number
  readonly type: string
  readonly bytes: number
  /** With secrets removed, in case the other side repeats them. */
  readonly text: string
}

/** Statuses after which a read is retried. */
const RETRIED_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504])
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 3
const RETRY_DELAY_MS = 200
/** Content types that pages can use: data and text. */
const READABLE = /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml)$|^text\/(?:plain|csv)$/
const ACCEPT = 'application/json, text/plain;q=0.8, text/csv;q=0.8, application/xml;q=0.7'
const MIN_SECRET_PART = 6

/**
 * Calls the external system as the connection is configured, within its time limit for all attempts together.
 *
 * @throws OutgoingError if there is no answer to pass on; Refusal 405 for a method or path that the connection does not allow
 */
export async function callConnection(
  tenantId: string,
  connection: StoredConnection,
  call: ConnectionCall,
  { reach, sealer }: CallTools,
): Promise<CalledOutside> {
  const { setting, label } = connection
  if (!setting.methods.includes(call.method))
    refuse(405, 'NO_PERMISSION', text('conn.method', { label, method: call.method }))
  const url = addressOf(setting, call.path, label)
  const secrets = secretsOf(tenantId, connection, sealer)
  const outside: OutgoingRequest = {
    url,
    method: call.method,
    headers: { accept: ACCEPT, 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'vform-crm' },
    most: setting.kilobytes * 1024,
    signal: AbortSignal.timeout(setting.seconds * 1000),
    ...bodyParts(call, setting.format),
  }
  const answer = await sendWithRetries(withParts(outside, connection, secrets), connection, reach)
  if (!READABLE.test(answer.type) && answer.body.length > 0) throw new OutgoingError('type', answer.status)
  return {
    status: answer.status,
    type: answer.type,
    bytes: answer.body.length,
    text: withoutSecrets(wordsOf(answer), [...secrets.values()]),
  }
}

/** The answer as data: parsed JSON, or the text. @throws OutgoingError for an error of the other side */
export function dataOf({ status, type, text: words }: CalledOutside): Json {
  if (status < 200 || status > 299) throw new OutgoingError('status', status)
  if (words === '') return null
  if (!type.endsWith('json')) return words
  try {
    const data = JSON.parse(words) as Json
    if (isTooDeep(data, MAX_DEPTH)) throw new OutgoingError('unreadable', status)
    return data
  } catch {
    throw new OutgoingError('unreadable', status)
  }
}

/** The same maximum nesting as for our own requests. */
const MAX_DEPTH = 100

function isTooDeep(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((part) => isTooDeep(part ?? null, depth - 1))
}

/** Retries requests that may be repeated, and follows redirects that stay within the connection. */
async function sendWithRetries(
  call: OutgoingRequest,
  { setting }: StoredConnection,
  reach: AllowedAddresses,
): Promise<OutgoingResponse> {
  const isRead = call.method === 'GET'
  for (let retriesLeft = isRead ? setting.retries : 0; ; retriesLeft--) {
    try {
      const answer = await follow(call, setting, reach, isRead ? MAX_REDIRECTS : 0)
      if (retriesLeft <= 0 || !RETRIED_STATUS.has(answer.status)) return answer
    } catch (error) {
      const isLost = error instanceof OutgoingError && error.reason === 'unreachable'
      if (retriesLeft <= 0 || !isLost) throw error
    }
    await pause(RETRY_DELAY_MS * 2 ** (setting.retries - retriesLeft), call.signal)
  }
}

async function follow(
  call: OutgoingRequest,
  setting: StoredConnection['setting'],
  reach: AllowedAddresses,
  retriesLeft: number,
): Promise<OutgoingResponse> {
  const answer = await sendOutgoing(call, reach)
  const { status, location } = answer
  if (!REDIRECTS.has(status) || location === null) return answer
  const isAddress = URL.canParse(location, call.url)
  const next = isAddress ? new URL(location, call.url) : null
  if (retriesLeft === 0 || next === null || !isWithin(setting, next))
    throw new OutgoingError('redirect', status)
  for (const [name, value] of call.url.searchParams)
    if (!next.searchParams.has(name)) next.searchParams.set(name, value)
  return follow({ ...call, url: next }, setting, reach, retriesLeft - 1)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      failed(new OutgoingError('timeout'))
    })
  })
}

function bodyParts(
  { method, body }: ConnectionCall,
  format: 'json' | 'form',
): { readonly body?: string } & { readonly type?: string } {
  if (method === 'GET' || body === undefined) return {}
  if (format === 'json') return { body: JSON.stringify(body), type: 'application/json' }
  const fields = isObject(body) ? Object.entries(body) : []
  const pairs = fields.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value),
  ])
  return { body: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' }
}

/** The call with the headers and query parameters of the connection, which override those of the page. */
function withParts(
  { type, ...call }: OutgoingRequest & { readonly type?: string },
  { setting }: StoredConnection,
  secrets: ReadonlyMap<string, string>,
): OutgoingRequest {
  const url = new URL(call.url)
  const headers: Record<string, string> = { ...call.headers }
  for (const part of setting.parts) {
    const value = part.secret ? (secrets.get(partKey(part)) ?? '') : part.value
    if (part.place === 'header') headers[part.name.toLowerCase()] = value
    else url.searchParams.set(part.name, value)
  }
  if (type !== undefined) headers['content-type'] = type
  if (call.body !== undefined) headers['content-length'] = String(Buffer.byteLength(call.body))
  return { ...call, url, headers }
}

function secretsOf(
  tenantId: string,
  { id, secrets }: StoredConnection,
  sealer: Sealer,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(secrets).map(([key, sealed]) => {
      const opened = sealer.open(sealed, secretContext(tenantId, id))
      if (opened === null) throw new OutgoingError('sealed')
      return [key, opened]
    }),
  )
}

function wordsOf({ body, charset }: OutgoingResponse): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    throw new OutgoingError('unreadable')
  }
}

/** Some services echo what they receive: a key must never reach a browser, alone or as part of a header. */
function withoutSecrets(words: string, secrets: readonly string[]): string {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((part) => part.length >= MIN_SECRET_PART)
    .flatMap((part) => [part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part)])
    .sort((a, b) => b.length - a.length)
  return hidden.reduce((masked, part) => masked.replaceAll(part, '***'), words)
}
