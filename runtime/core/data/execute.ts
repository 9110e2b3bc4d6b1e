import { type Failure, failure } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { DataSource } from '../page/page.ts'
import type { AbortLike, Http, HttpRequest, HttpResponse, Outcome, Text } from '../ports.ts'
import { joinRequest, type RequestContext, type RequestParts, requestParts } from './build-request.ts'
import { changedParts, configOf } from './config-handler.ts'
import { refusalOf, unwrapEnvelope } from './envelope.ts'
import { withMessage } from './failure-words.ts'

/** Runs one piece of handler code and returns its result; see HOOKS 5.3. */
type AskHandler = (
  hook: 'configHandlerCode' | 'dataHandlerCode' | 'errorHandlerCode',
  source: string,
  args: readonly Json[],
) => Promise<Outcome<Json>>

interface Execution {
  readonly source: DataSource
  readonly context: RequestContext
  readonly http: Pick<Http, 'send'>
  readonly ask: AskHandler
  readonly text: Text
  readonly signal?: AbortLike
  /** The answer may be stored for offline use. */
  readonly keep?: boolean
}

/**
 * Runs a declared data source: request → configHandlerCode → send → dataHandlerCode, or errorHandlerCode on a failure. An answer that reports a
 * failure (our envelope with a code other than 200) is a failure with its message. Without a data handler the result is the body, without our own
 * server's envelope. Failures have messages for users.
 */
export async function executeSource(execution: Execution): Promise<Outcome<Json>> {
  const { source, context, http, ask, signal, keep, text } = execution
  const configured = await configure(source, requestParts(source, context), context.dsv, ask)
  if (!configured.ok) return failed(execution, configured.error)
  const answer = await http.send({
    ...configured.value,
    ...(signal ? { signal } : {}),
    ...(keep === true ? { keep } : {}),
  })
  if (!answer.ok) return failed(execution, answer.error)
  const refusal = refusalOf(answer.value.data)
  if (refusal !== null) return failed(execution, refusal)
  if (!hasHandler(source.dataHandlerCode)) return { ok: true, value: unwrapEnvelope(answer.value.data) }
  const args = [responseJson(answer.value), false, context.dsv]
  const handled = await ask('dataHandlerCode', source.uniqueName, args)
  return handled.ok ? handled : { ok: false, error: withMessage(handled.error, text) }
}

export const hasHandler = (code: string | undefined): boolean =>
  typeof code === 'string' && code.trim() !== ''

const responseJson = (response: HttpResponse): Json => ({
  status: response.status,
  statusCode: response.status,
  headers: { ...response.headers },
  data: response.data,
})

async function configure(
  source: DataSource,
  parts: RequestParts,
  dsv: JsonObject,
  ask: AskHandler,
): Promise<Outcome<HttpRequest>> {
  if (!hasHandler(source.configHandlerCode)) return { ok: true, value: joinRequest(parts) }
  const config = configOf(parts)
  const answer = await ask('configHandlerCode', source.uniqueName, [config, false, dsv])
  if (!answer.ok) return answer
  return { ok: true, value: joinRequest(isObject(answer.value) ? changedParts(parts, answer.value) : parts) }
}

/** A failure with a message for users, which the source's own code may replace. */
async function failed({ source, context, ask, text }: Execution, fault: Failure): Promise<Outcome<Json>> {
  const error = withMessage(fault, text)
  if (!hasHandler(source.errorHandlerCode)) return { ok: false, error }
  const args = [{ message: error.message, code: error.code }, false, context.dsv]
  const handled = await ask('errorHandlerCode', source.uniqueName, args)
  return {
    ok: false,
    error: handled.ok && typeof handled.value === 'string' ? { ...error, message: handled.value } : error,
  }
}

/** The failure of a source nobody declared. */
export const unknownSource = (name: string): Outcome<Json> => ({
  ok: false,
  error: failure('DATA_SOURCE_UNKNOWN', { name }),
})
