import type { FastifyInstance } from 'fastify'
import { failure, type Http, isOwnAddress, type Json } from '../../../../runtime/core/index.ts'
import { connectionRequest } from '../../../contract/connection.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { createWithin } from '../threads/begun-within.ts'
import type { Caller } from './caller.ts'

/** Asks our own server for somebody, by their rights and scope, without their token. */
export type ReadAs = (caller: Caller) => Http['send']

/** A call that the server makes to itself. */
interface InnerCall {
  readonly caller: Caller
  /** Set by the guard for a route that gives no answer to read: a stream, a file. */
  isRefused: boolean
}

/** Nothing that comes in over the network runs in it. */
const calls = createWithin<InnerCall>()

/** The call of the server to itself that this is; null for all others. */
export const innerCall = (): InnerCall | null => calls.get() ?? null

/** Calls that only look: a number in them is looked for, and a form's check may make them. POSTs are known by how their path ends. */
export function onlyLooks(method: string, path: string): boolean {
  return method === 'GET' || /\/(?:list|count|deleted|board|check|match|options)$/.test(path)
}

/**
 * What only looks at our own data, answered as the caller would be answered. All else is refused with `NOT_A_READ`; so are routes
 * that stream or need no session, see the guard.
 */
export function innerReads(app: FastifyInstance): ReadAs {
  return (caller) => async (request) => {
    const outside = connectionRequest(request)
    const { url, method, headers, body } = { ...request, ...outside }
    const [path = ''] = url.split('?')
    if (!isOwnAddress(url) || !onlyLooks(method, path)) return refused(url)
    // Begun within: what `inject` gives back does nothing before somebody waits for it.
    const call: InnerCall = { caller, isRefused: false }
    const answer = await calls.run(
      call,
      async () =>
        await app.inject({
          method: method === 'GET' ? 'GET' : 'POST',
          url,
          ...(headers === undefined ? {} : { headers }),
          ...(method === 'GET' || body === undefined ? {} : { payload: body as object }),
        }),
    )
    if (call.isRefused) return refused(url)
    if (answer.statusCode !== 200)
      return { ok: false, error: failure('HTTP_STATUS', { status: answer.statusCode }) }
    const told = answer.json<Envelope<Json>>()
    // Of an outside system only its own answer, as a browser gets it.
    const data = outside !== null && told.meta.code === 200 ? told.data : (told as unknown as Json)
    return { ok: true, value: { status: 200, headers: {}, data } }
  }
}

const refused = (url: string) => ({ ok: false as const, error: failure('NOT_A_READ', { url }) })
