import { type Failure, failure } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'

/** `{meta, data}` of our own server becomes `data`; anything else is unchanged. */
export function unwrapEnvelope(body: Json): Json {
  return metaOf(body) === null ? body : ((body as JsonObject).data ?? null)
}

/** The message of an envelope that reports a failure; null for success and for anything else. */
export function refusalOf(body: Json): Failure | null {
  const meta = metaOf(body)
  if (meta === null || succeeded(meta)) return null
  const message = typeof meta.message === 'string' ? meta.message : ''
  const type = isObject(meta.error) && typeof meta.error.type === 'string' ? { type: meta.error.type } : {}
  const data = (body as JsonObject).data ?? null
  return { ...failure('REFUSED', { reason: message }), message, status: Number(meta.code), data, ...type }
}

function metaOf(body: Json): JsonObject | null {
  return isObject(body) && isObject(body.meta) && typeof body.meta.code === 'number' ? body.meta : null
}

/** Our success code is 200; other servers with such envelopes use 0, or a word. */
const succeeded = ({ code, success }: JsonObject): boolean =>
  success !== false && (code === 200 || code === 0 || success === true)
