import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Envelope } from '../../../contract/envelope.ts'
import { storageFault } from '../db/data-folder.ts'
import { DatabaseUnavailable } from '../db/unavailable.ts'
import { StorageUnavailable } from '../files/storage-unavailable.ts'
import { answered, Refusal, refused } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** As in the manifest's `share_target`. */
const SHARE_PATH = '/share'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Paths of the API; anything else is the client's files. */
export function isApiPath(url: string): boolean {
  return url.startsWith('/mini/') || url.startsWith('/engine/web/')
}

/**
 * Puts answers into the envelope and errors into their place: a refusal is HTTP 200 with its code, but for routes that answer
 * `byStatus`; HTTP 413, 415, 500 and 503 are for transport faults and carry `error` beside the envelope.
 */
export function addAnswers(app: FastifyInstance): void {
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const isWhole = isEnvelope(payload)
    if (isWhole) noteRefusal(request, payload)
    done(null, isWhole || request.routeOptions.config.raw === true ? payload : answered(payload ?? null))
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const answer = transportFault(error) ?? { status: statusOf(error, request), body: refusalOf(error) }
    if (answer.body !== null) {
      noteRefusal(request, answer.body)
      if (answer.status !== 200) reply.header('cache-control', 'no-store')
      return reply.code(answer.status).type(JSON_TYPE).send(JSON.stringify(answer.body))
    }
    const storage = storageFault(error)
    if (storage !== null) {
      request.log.fatal({ err: error, requestId: request.id }, `DATA_DIR cannot be written: ${storage}`)
      const full = refused(new Refusal(503, { type: 'UNAVAILABLE' }, text('call.storage'), null))
      return reply
        .code(503)
        .type(JSON_TYPE)
        .send(JSON.stringify({ error: text('call.storage'), ...full }))
    }
    if (error instanceof DatabaseUnavailable || error instanceof StorageUnavailable)
      return unavailable(error, request, reply)
    request.log.error({ err: error, requestId: request.id }, 'a call failed')
    const message = text('call.failed', { id: spokenId(request.id) })
    const body = refused(new Refusal(500, { type: 'SERVER' }, message, { requestId: request.id }))
    noteRefusal(request, body)
    return reply
      .code(500)
      .type(JSON_TYPE)
      .send(JSON.stringify({ error: message, ...body }))
  })
  app.setNotFoundHandler((request, reply) => {
    // The app keeps its place behind the hash: an address typed or sent without it leads to the same page.
    if (['GET', 'HEAD'].includes(request.method) && request.url.startsWith('/pages/'))
      return reply.redirect(`${toRoot(request.url)}#${request.url}`, 302)
    // What another app shares is for the device's worker; where that is gone the app says that nothing came.
    if (request.method === 'POST' && request.url === SHARE_PATH) return reply.redirect('./?lost=1', 303)
    if (!isApiPath(request.url)) return reply.code(404).type('text/plain').send('not found')
    const body = refused(new Refusal(404, { type: 'NOT_FOUND' }, text('call.no-route'), null))
    noteRefusal(request, body)
    return reply.send(body)
  })
}

/** The way from an address to where the app begins, which may lie below a path that only the proxy knows. */
const toRoot = (url: string): string => '../'.repeat((url.split('?')[0] ?? '').split('/').length - 2)

const SPOKEN_CHARACTERS = 8

/** The end of a call's id, short enough to read out on the phone; the log is searched by it. */
function spokenId(id: string): string {
  return id.slice(-SPOKEN_CHARACTERS)
}

/** Why a call is refused, for its line in the log. */
function noteRefusal(request: FastifyRequest, { meta }: { readonly meta?: Envelope['meta'] }): void {
  if (meta !== undefined && !meta.success) request.refusal = meta
}

/** Seconds after which a caller should try again. */
const RETRY_AFTER = 3

/** The database or the storage of files is away or busy: the same call may succeed soon. */
function unavailable(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.warn({ requestId: request.id, why: error.message }, 'a call could not be answered now')
  const message = text('call.server')
  const body = refused(new Refusal(503, { type: 'UNAVAILABLE' }, message, { retryAfter: RETRY_AFTER }))
  noteRefusal(request, body)
  return reply
    .code(503)
    .header('retry-after', String(RETRY_AFTER))
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: message, ...body }))
}

/** What a browser loads by itself reads no envelope: there the code is the status, 405 (may not) as HTTP says it. */
function statusOf(error: Error, request: FastifyRequest): number {
  if (request.routeOptions.config.byStatus !== true) return 200
  const code = error instanceof Refusal ? error.code : 400
  return code === 405 ? 403 : code
}

/** True for an answer that is an envelope already. */
function isEnvelope(payload: unknown): payload is Envelope {
  return typeof payload === 'object' && payload !== null && 'meta' in payload && 'data' in payload
}

function refusalOf(error: FastifyError): object | null {
  if (error instanceof Refusal) return refused(error)
  if (error.validation === undefined && !UNREADABLE.has(error.code)) return null
  const detail = error.message
  return refused(new Refusal(400, { type: 'VALIDATION', detail }, text('call.invalid'), null))
}

/** Bodies that are not JSON, or JSON that names a prototype. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_JSON_BODY',
  'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
])

function transportFault(error: FastifyError): { status: number; body: object } | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const message = text('call.too-large')
    const body = refused(new Refusal(413, { type: 'FILE_TOO_LARGE' }, message, null))
    return { status: 413, body: { error: message, ...body } }
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const message = text('call.invalid')
    const body = refused(new Refusal(415, { type: 'FILE_TYPE', detail: error.message }, message, null))
    return { status: 415, body: { error: message, ...body } }
  }
  return null
}
