import type { IncomingMessage } from 'node:http'
import { isObject, type Json } from '../../../runtime/core/json.ts'

/** One request as received. */
export interface Seen {
  readonly method: string
  /** The host the client addressed, whatever the loopback address. */
  readonly host: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The body exactly as received. */
  readonly raw: Buffer
  /** JSON, or the text fields of a form, or text. */
  readonly body: Json
  /** Name, field and size of the file of a form. */
  readonly file?: { readonly field: string; readonly name: string; readonly text: string }
}

/** Reads a request to its end. */
export async function readRequest(request: IncomingMessage): Promise<Seen> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const raw = Buffer.concat(parts)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const host = headers['x-original-host'] ?? headers.host ?? ''
  const facts = { method: request.method ?? '', host, path, query, headers, raw }
  if (headers['content-type']?.startsWith('multipart/'))
    return { ...facts, ...(await readForm(raw, headers)) }
  return { ...facts, body: readText(raw.toString('utf8')) }
}

function readText(text: string): Json {
  try {
    return text === '' ? null : (JSON.parse(text) as Json)
  } catch {
    return text
  }
}

async function readForm(raw: Buffer, headers: Readonly<Record<string, string>>) {
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()
  const body: Record<string, string> = {}
  let file: Seen['file']
  for (const [field, value] of form.entries()) {
    if (typeof value === 'string') body[field] = value
    else file = { field, name: value.name, text: await value.text() }
  }
  return file ? { body, file } : { body }
}

/** Random values; both clients use a fixed clock, so that signatures and times are compared byte for byte. */
export const RANDOM_HEADERS = ['x-seqid', 'x-request-id', 'x-device-id', 'x-alipay-callid', 'x-trace-id']
/** Added by the HTTP stack, or dependent on the random boundary of a form. */
export const STACK_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'host',
  'sec-fetch-mode',
  'user-agent',
]

/** The parts of a request that must be equal for both clients. */
export function comparable(seen: Seen): Json {
  const headers = Object.fromEntries(
    Object.entries(seen.headers)
      .filter(([name, value]) => value !== '' && !STACK_HEADERS.includes(name))
      .map(([name, value]) => [name, RANDOM_HEADERS.includes(name) ? 'random' : withoutBoundary(value)]),
  )
  const body = isObject(seen.body) && seen.body.seqId ? { ...seen.body, seqId: 'random' } : seen.body
  const { method, host, path, query, file } = seen
  return { method, host, path, query, headers, body, ...(file ? { file: { ...file } } : {}) }
}

function withoutBoundary(value: string): string {
  return value.startsWith('multipart/') ? 'multipart/form-data' : value
}
