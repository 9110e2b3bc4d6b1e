import type { FastifyInstance } from 'fastify'
import { failure, type Http, isOwnAddress, type Json } from '../../../../runtime/core/index.ts'
import { connectionRequest } from '../../../contract/connection.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { createAsyncScope } from '../threads/async-scope.ts'
import type { Caller } from './caller.ts'

/** Calls our own server on behalf of somebody, with their rights and scope but without their token. */
export type ReadAs = (caller: Caller) => Http['send']

/** A call that the server makes to itself. */
interface InnerCall {
  readonly caller: Caller
  /** Set by the guard for a route that has no answer to read: a stream, a file. */
  isRefused: boolean
}

/** Requests from the network never run in it. */
const calls = createAsyncScope<InnerCall>()

/** Present if the server made this call to itself; null for all others. */
export const innerCall = (): InnerCall | null => calls.get() ?? null

/** Calls that only read: they count as searches of numbers, and the check of a form may make them. POSTs are recognised by the end of their path. */
export function isReadOnly(method: string, path: string): boolean {
  return method === 'GET' || /\/(?:list|count|deleted|board|check|match|options)$/.test(path)
}

/**
 * Reads our own data and answers as the caller would be answered. Anything else is refused with `NOT_A_READ`, and so are routes that stream or need
 * no session, see the guard.
 */
export function innerReads(app: FastifyInstance): ReadAs {
  return (caller) => async (request) => {
    const outside = connectionRequest(request)
    const { url, method, headers, body } = { ...request, ...outside }
    const [path = ''] = url.split('?')
    if (!isOwnAddress(url) || !isReadOnly(method, path)) return refused(url)
    // Started inside the context: `inject` returns an object that does nothing until it is awaited.
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
    const envelope = answer.json<Envelope<Json>>()
    // An external system contributes only its own answer, as a browser would receive it.
    const data =
      outside !== null && envelope.meta.code === 200 ? envelope.data : (envelope as unknown as Json)
    return { ok: true, value: { status: 200, headers: {}, data } }
  }
}

const refused = (url: string) => ({ ok: false as const, error: failure('NOT_A_READ', { url }) })
