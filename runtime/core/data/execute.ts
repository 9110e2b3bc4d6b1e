import { failure } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { DataSource } from '../page/page.ts'
import type { AbortLike, Http, HttpRequest, HttpResponse, Outcome } from '../ports.ts'
import { buildRequest, type RequestContext } from './build-request.ts'

/** Runs one piece of handler code and answers with its return value; see FACTS 8.3. */
export type AskHandler = (
  hook: 'configHandlerCode' | 'dataHandlerCode' | 'errorHandlerCode',
  source: string,
  args: readonly Json[],
) => Promise<Outcome<Json>>

interface Execution {
  readonly source: DataSource
  readonly context: RequestContext
  readonly http: Http
  readonly ask: AskHandler
  readonly signal?: AbortLike
  /** The answer may be kept for when the network is away. */
  readonly keep?: boolean
}

/**
 * Runs a declared data source: request → configHandlerCode → send → dataHandlerCode, or errorHandlerCode on a failure (FACTS 8.3).
 * Without a data handler the body is the result, our own server's envelope taken off.
 */
export async function executeSource({
  source,
  context,
  http,
  ask,
  signal,
  keep,
}: Execution): Promise<Outcome<Json>> {
  const built = buildRequest(source, context)
  const configured = await configure(source, built, context.dsv, ask)
  if (!configured.ok) return configured
  const answer = await http.send({
    ...configured.value,
    ...(signal ? { signal } : {}),
    ...(keep === true ? { keep } : {}),
  })
  if (!answer.ok) return failed(source, answer.error, context.dsv, ask)
  if (!filled(source.dataHandlerCode)) return { ok: true, value: unwrapEnvelope(answer.value.data) }
  return ask('dataHandlerCode', source.uniqueName, [responseJson(answer.value), false, context.dsv])
}

const filled = (code: string | undefined): boolean => typeof code === 'string' && code.trim() !== ''

const responseJson = (response: HttpResponse): Json => ({
  status: response.status,
  statusCode: response.status,
  headers: { ...response.headers },
  data: response.data,
})

async function configure(
  source: DataSource,
  request: HttpRequest,
  dsv: JsonObject,
  ask: AskHandler,
): Promise<Outcome<HttpRequest>> {
  if (!filled(source.configHandlerCode)) return { ok: true, value: request }
  const config: Json = {
    url: request.url,
    method: request.method,
    headers: { ...request.headers },
    data: request.body ?? null,
  }
  const answer = await ask('configHandlerCode', source.uniqueName, [config, false, dsv])
  if (!answer.ok) return answer
  const changed = isObject(answer.value) ? answer.value : config
  return {
    ok: true,
    value: {
      url: typeof changed.url === 'string' ? changed.url : request.url,
      method: request.method,
      headers: isObject(changed.headers) ? textHeaders(changed.headers) : (request.headers ?? {}),
      ...(request.method === 'GET' || changed.data === undefined || changed.data === null
        ? {}
        : { body: changed.data }),
    },
  }
}

const textHeaders = (headers: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

async function failed(
  source: DataSource,
  error: Extract<Outcome<Json>, { ok: false }>['error'],
  dsv: JsonObject,
  ask: AskHandler,
): Promise<Outcome<Json>> {
  if (!filled(source.errorHandlerCode)) return { ok: false, error }
  const told = await ask('errorHandlerCode', source.uniqueName, [
    { message: error.message, code: error.code },
    false,
    dsv,
  ])
  return {
    ok: false,
    error: told.ok && typeof told.value === 'string' ? { ...error, message: told.value } : error,
  }
}

/** `{meta, data}` of our own server becomes `data`; anything else stays as it is (CRM 8.1). */
export function unwrapEnvelope(body: Json): Json {
  if (!isObject(body) || !isObject(body.meta) || typeof body.meta.code !== 'number') return body
  return body.data ?? null
}

/** The failure of a source nobody declared. */
export const unknownSource = (name: string): Outcome<Json> => ({
  ok: false,
  error: failure('DATA_SOURCE_UNKNOWN', { name }),
})
