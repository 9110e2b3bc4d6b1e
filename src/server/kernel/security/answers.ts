import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Envelope, WireError } from '../../../contract/envelope.ts'
import { storageFault } from '../db/data-folder.ts'
import { DatabaseUnavailable } from '../db/unavailable.ts'
import { StorageUnavailable } from '../files/storage-unavailable.ts'
import { answered, Refusal, refused } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** As in the manifest's `share_target`. */
const SHARE_PATH = '/share'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Paths of the API; anything else is a file of the client. */
export function isApiPath(url: string): boolean {
  return url.startsWith('/mini/') || url.startsWith('/engine/web/')
}

/**
 * Wraps answers in the envelope and converts errors: a refusal is HTTP 200 with its code, except on routes that answer `byStatus`; HTTP 413, 415, 500
 * and 503 are for transport faults and carry `error` in the envelope.
 */
export function addAnswers(app: FastifyInstance): void {
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const isWhole = isEnvelope(payload)
    if (isWhole) noteRefusal(request, payload)
    done(null, isWhole || request.routeOptions.config.raw === true ? payload : answered(payload ?? null))
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    // The app keeps its path in the hash: an address typed or sent without the hash leads to the same page.
    if (['GET', 'HEAD'].includes(request.method) && request.url.startsWith('/pages/'))
      return reply.redirect(`${toRoot(request.url)}#${request.url}`, 302)
    // Data shared by another app is handled by the service worker; without one, the app reports that nothing arrived.
    if (request.method === 'POST' && request.url === SHARE_PATH) return reply.redirect('./?lost=1', 303)
    if (!isApiPath(request.url)) return reply.code(404).type('text/plain').send('not found')
    const body = refused(new Refusal(404, { type: 'NOT_FOUND' }, text('call.no-route'), null))
    noteRefusal(request, body)
    return reply.send(body)
  })
}

/** The answer to an error; also to those of the framework before it has found a route. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error, request)
  if (refusal !== null) {
    noteRefusal(request, refusal)
    const status = statusOf(error, request)
    if (status !== 200) reply.header('cache-control', 'no-store')
    return reply.code(status).type(JSON_TYPE).send(JSON.stringify(refusal))
  }
  return sendFault(
    request,
    reply,
    transportFault(error) ?? laterFault(error, request) ?? ownFault(error, request),
  )
}

/** The relative path from an address to the start of the app, which may be below a path that only the proxy knows. */
const toRoot = (url: string): string => '../'.repeat((url.split('?')[0] ?? '').split('/').length - 2)

const SPOKEN_CHARACTERS = 8

/** The end of a call's id, short enough to read out over the phone; the log can be searched for it. */
function spokenId(id: string): string {
  return id.slice(-SPOKEN_CHARACTERS)
}

/** Why a call is refused, for its log line. */
function noteRefusal(request: FastifyRequest, { meta }: { readonly meta?: Envelope['meta'] }): void {
  if (meta !== undefined && !meta.success) request.refusal = meta
}

/** An error whose HTTP status is not 200: its text is also sent beside the envelope. */
interface Fault {
  readonly status: 413 | 415 | 500 | 503
  readonly error: WireError
  readonly message: string
  readonly data?: Readonly<Record<string, Json>>
  /** Seconds after which the same call may succeed. */
  readonly retryAfter?: number
}

function sendFault(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  const { status, error, message, data, retryAfter } = fault
  const given = retryAfter === undefined ? (data ?? null) : { ...data, retryAfter }
  const body = refused(new Refusal(status, error, message, given))
  noteRefusal(request, body)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: message, ...body }))
}

/** Seconds after which a caller should retry if the database or the file storage is unavailable or busy. */
const RETRY_AFTER = 3
/** The same if a person has to free disk space first. */
const RETRY_FULL_AFTER = 30

/** Errors that may be gone on a retry: the disk is full, or the database or file storage is unavailable or busy. */
function laterFault(error: Error, { log, id }: FastifyRequest): Fault | null {
  const storage = storageFault(error)
  if (storage !== null) {
    const storageName = error instanceof DatabaseError ? 'the database' : 'DATA_DIR'
    log.fatal({ err: error, requestId: id }, `${storageName} cannot be written: ${storage}`)
    return {
      status: 503,
      error: { type: 'UNAVAILABLE' },
      message: text('call.storage'),
      retryAfter: RETRY_FULL_AFTER,
    }
  }
  if (!(error instanceof DatabaseUnavailable || error instanceof StorageUnavailable)) return null
  log.warn({ requestId: id, why: error.message }, 'a call could not be answered now')
  return {
    status: 503,
    error: { type: 'UNAVAILABLE' },
    message: text('call.server'),
    retryAfter: RETRY_AFTER,
  }
}

/** Anything else is a defect: the caller gets an id to read out, the log contains the details. */
function ownFault(error: Error, { log, id }: FastifyRequest): Fault {
  log.error({ err: error, requestId: id }, 'a call failed')
  const message = text('call.failed', { id: spokenId(id) })
  return { status: 500, error: { type: 'SERVER' }, message, data: { requestId: id } }
}

/** For files a browser loads by itself nobody reads the envelope: there the code is the status, and 405 (not permitted) becomes HTTP's own code. */
function statusOf(error: Error, request: FastifyRequest): number {
  if (request.routeOptions?.config?.byStatus !== true) return 200
  const code = error instanceof Refusal ? error.code : 400
  return code === 405 ? 403 : code
}

/** True for an answer that is an envelope already. */
function isEnvelope(payload: unknown): payload is Envelope {
  return typeof payload === 'object' && payload !== null && 'meta' in payload && 'data' in payload
}

function refusalOf(error: FastifyError, request: FastifyRequest): Envelope | null {
  if (error instanceof Refusal) return refused(error)
  if (error.validation === undefined && !UNREADABLE.has(error.code) && !isCutOff(error, request)) return null
  const detail = error.message
  return refused(new Refusal(400, { type: 'VALIDATION', detail }, text('call.invalid'), null))
}

/** The caller has gone before the end of the body: nobody reads the answer, and it is no error of ours. */
const isCutOff = ({ code }: FastifyError, { raw }: FastifyRequest): boolean =>
  code === 'ECONNRESET' && raw.destroyed && !raw.complete

/** Bodies that are not JSON, or JSON with prototype keys, or not compressed as they say; addresses that no path can be read from. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_JSON_BODY',
  'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
  'FST_CP_ERR_INVALID_CONTENT',
  'FST_ERR_BAD_URL',
])

function transportFault({ code, message: detail }: FastifyError): Fault | null {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { status: 413, error: { type: 'FILE_TOO_LARGE' }, message: text('call.too-large') }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { status: 415, error: { type: 'FILE_TYPE', detail }, message: text('call.invalid') }
  return null
}
