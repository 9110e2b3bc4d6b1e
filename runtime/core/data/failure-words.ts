import { type Failure, type FailureCode, failure } from '../errors.ts'
import { isObject, type Json } from '../json.ts'
import type { Text } from '../ports.ts'

/** From this status on it is the server that failed. */
const SERVER_FAULT = 500

/**
 * What a user is told of a failure. Words of a server stand as they are; a failure that still has the developers' sentence gets the
 * user's own.
 */
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
    case 'HTTP_STATUS':
      return (
        saidBy(error.data ?? null) || text((error.status ?? 0) >= SERVER_FAULT ? 'net.server' : 'net.status')
      )
    case 'ANSWER_INVALID':
      return text('net.server')
    case 'REFUSED':
      return error.message.slice(failure('REFUSED', { reason: '' }).message.length) || text('net.status')
    default:
      return text('net.status')
  }
}

/** Failures of the way to the server, or of a wish that was taken back; after any other somebody answered. */
const UNANSWERED: ReadonlySet<FailureCode> = new Set(['NETWORK', 'TIMEOUT', 'ABORTED'])

/** Why something did not come, in the words of whoever answered; '' when nobody was reached and only the network can help. */
export function answeredWords(error: Failure): string {
  return UNANSWERED.has(error.code) ? '' : error.message
}

/** The failure in the user's words, unless whoever answered it has already given it some. */
export function worded(error: Failure, text: Text): Failure {
  if (error.code === 'ABORTED') return error // nobody waits for it any more
  return isOurSentence(error) ? { ...error, message: wordsOf(error, text) } : error
}

/** True for the sentence that the failure was born with, whatever stands in its places. */
function isOurSentence({ code, message }: Failure): boolean {
  const [start = '', ...more] = failure(code).message.split(/\{\w+\}/)
  return message === '' || (message.startsWith(start) && message.endsWith(more.at(-1) ?? start))
}

/** The words that servers put into the body of a refusal. */
function saidBy(body: Json): string {
  if (!isObject(body)) return ''
  const said = [isObject(body.meta) ? body.meta.message : null, body.message, body.msg, body.error]
  return said.find((words): words is string => typeof words === 'string' && words !== '') ?? ''
}
