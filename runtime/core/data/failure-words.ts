import { type Failure, type FailureCode, failure } from '../errors.ts'
import { isObject, type Json } from '../json.ts'
import type { Text } from '../ports.ts'

/** From this status on, the server itself failed. */
const SERVER_FAULT = 500

/** The message of a failure for users. Messages of a server are used unchanged; a failure with a message for developers gets one for users. */
export function wordsOf(error: Failure, text: Text): string {
  switch (error.code) {
    case 'TIMEOUT':
      return text('net.timeout')
    case 'NETWORK':
      return text('net.failed')
    case 'DATA_SOURCE_ORIGIN':
      return text('data.originRefused', { origin: String(error.data ?? '') })
    case 'SCRIPT_ERROR':
    case 'SCRIPT_BUDGET':
      return text('data.scriptFailed')
    case 'SCRIPT_UNAVAILABLE':
      return text('data.scriptUnavailable')
    case 'HTTP_STATUS':
      return (
        failureMessage(error.data ?? null) ||
        text((error.status ?? 0) >= SERVER_FAULT ? 'net.server' : 'net.status')
      )
    case 'ANSWER_INVALID':
      return text('net.server')
    case 'REFUSED':
      return error.message.slice(failure('REFUSED', { reason: '' }).message.length) || text('net.status')
    default:
      return text('net.status')
  }
}

/** Failures on the way to the server, or of an aborted request; after any other, the server has answered. */
const UNANSWERED: ReadonlySet<FailureCode> = new Set(['NETWORK', 'TIMEOUT', 'ABORTED'])

/** Why something could not be loaded, in the words of the server; '' if it was not reached and only the network can help. */
export function serverMessage(error: Failure): string {
  return UNANSWERED.has(error.code) ? '' : error.message
}

/** The failure with a message for users, unless the server has supplied one. */
export function withMessage(error: Failure, text: Text): Failure {
  if (error.code === 'ABORTED') return error // nobody waits for it any more
  return isOurSentence(error) ? { ...error, message: wordsOf(error, text) } : error
}

/** True for the original message of the failure, whatever its placeholder values. */
function isOurSentence({ code, message }: Failure): boolean {
  const [start = '', ...more] = failure(code).message.split(/\{\w+\}/)
  return message === '' || (message.startsWith(start) && message.endsWith(more.at(-1) ?? start))
}

/** The messages that servers put into the body of a refusal. */
function failureMessage(body: Json): string {
  if (!isObject(body)) return ''
  const messages = [isObject(body.meta) ? body.meta.message : null, body.message, body.msg, body.error]
  return messages.find((words): words is string => typeof words === 'string' && words !== '') ?? ''
}
