import type { IncomingMessage } from 'node:http'
import type { Json } from '../../../runtime/core/json.ts'

/** One request as it arrived. */
export interface Seen {
  readonly method: string
  /** The host the client meant, whatever the loopback address. */
  readonly host: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Exactly as it came. */
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
