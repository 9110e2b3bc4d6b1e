import type { IncomingMessage } from 'node:http'
import type { TrustProxy } from '../config/proxies.ts'
import { newId } from '../db/id.ts'

const REQUEST_ID = /^[\w.:-]{1,64}$/

/** The id of a call: the one set by a trusted proxy, so that both logs refer to the same call; otherwise a new one. */
export function requestIds(trust: TrustProxy): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers['x-request-id']
    const isTrusted = trust !== false && trust(request.socket.remoteAddress ?? '', 0)
    return isTrusted && typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
  }
}
