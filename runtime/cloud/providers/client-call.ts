import { isObject, type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { CloudError, codeOf, textOf } from '../cloud-error.ts'
import type { Reply } from '../exchange.ts'
import type { FunctionReply } from '../provider.ts'

/** Methods of `<endpoint>/client` (PROTOCOL 2.1, 2.4). */
export const METHODS = {
  authorise: 'serverless.auth.user.anonymousAuthorize',
  invoke: 'serverless.function.runtime.invoke',
  // Misspelt in the protocol.
  sign: 'serverless.file.resource.generateProximalSign',
  report: 'serverless.file.resource.report',
  info: 'serverless.file.resource.info',
  remove: 'serverless.file.resource.delete',
  tempUrl: 'serverless.file.resource.getTempFileURL',
} as const
export type ClientMethod = (typeof METHODS)[keyof typeof METHODS]

/** The fields of one call before signing; `params` is sent as text. */
export function clientBody(
  method: ClientMethod,
  params: Json,
  spaceId: string,
  timestamp: number,
): JsonObject {
  return { method, params: JSON.stringify(params), spaceId, timestamp }
}

/**
 * The result of an answer of `<endpoint>/client`: its `data` and the request id.
 * @throws CloudError with the code and message of the body, else SYS_ERR
 */
export function readClientAnswer(reply: Reply): FunctionReply {
  const requestId =
    textOf(ownValue(ownValue(reply.data, 'header'), 'x-serverless-request-id')) ?? reply.headers['request-id']
  const error = ownValue(reply.data, 'error')
  if (reply.status === 0 || reply.status >= 400 || error || !isObject(reply.data)) {
    throw new CloudError({
      code: codeOf(ownValue(error, 'code')) ?? 'SYS_ERR',
      message: textOf(ownValue(error, 'message')) ?? failText(reply),
      requestId,
      cause: reply.failure,
    })
  }
  const { data, ...rest } = reply.data
  return { ...rest, result: data ?? null, ...(requestId ? { requestId } : {}) }
}

/** The transport's message, if the body has none. */
export function failText(reply: Reply): string {
  return reply.status === 0 ? reply.errMsg : 'request:fail'
}
