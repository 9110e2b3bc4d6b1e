import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject, ownValue } from '../../../../runtime/core/json.ts'
import type { Envelope, ErrorType, RefusalCode } from '../../../contract/envelope.ts'
import type { OutboxAnswer, OutboxOp } from '../../../contract/sync.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import { Refusal, refuse, refused } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { parseDateTime } from '../../kernel/time/zone.ts'

/** Maximum operations of one batch (DOMAIN 8.6). */
const MAX_OPS = 50
/** Codes that mean the session has ended: nothing after it can succeed (DOMAIN 0.1). */
const OVER: ReadonlySet<number> = new Set([401, 402, 403])
/** Operations that must not be delayed: whoever claims or decides must see the current state (DOMAIN 7.3). */
const NEVER_WAITS = /\/claim$|^\/mini\/approval\//

/** A batch of waiting writes. */
export interface OutboxBody {
  readonly ops: readonly OutboxOp[]
  /** The device's current time: with it the times of the operations do not require a correct clock. */
  readonly sentAt?: string
}

/** The results of earlier operations. */
interface Batch {
  /** Temporary ids and the real ids that replaced them. */
  readonly ids: Map<string, string>
  /** Temporary ids of failed operations. */
  readonly lost: Set<string>
  /** Records (`customer/<id>`) of failed operations. */
  readonly failed: Set<string>
}

/** What an operation needs from the call that contains it. */
interface Sender {
  readonly app: FastifyInstance
  readonly request: FastifyRequest
  /** Headers set by the guard: a renewed token. */
  readonly reply: FastifyReply
  readonly now: number
}

/**
 * POST /mini/sync/outbox: executes waiting writes one after the other, each by its own route with its own checks, in its own transaction and once
 * per `clientToken`: a repeated batch gets the same answer.
 * A temporary id (`tmp:…`) of the operation that creates a record is replaced by the real id in later operations, wherever it is a complete value.
 * An operation that depends on a failed one (such an id, or the same record) is not executed; after the end of the session, none is.
 *
 * @param waits  paths of writes that may wait
 */
export async function doOutbox(
  { ops, sentAt }: OutboxBody,
  waits: ReadonlySet<string>,
  sender: Sender,
): Promise<OutboxAnswer> {
  if (ops.length > MAX_OPS) refuse(422, 'BATCH_TOO_LARGE', text('record.batch', { most: MAX_OPS }))
  const tempIds = ops.map(({ tempId }) => tempId).filter((id) => id !== undefined)
  if (new Set(tempIds).size < tempIds.length)
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'a tempId is used twice' })
  const batch: Batch = { ids: new Map(), lost: new Set(), failed: new Set() }
  const results: Envelope[] = []
  let over: Envelope | null = null
  for (const given of ops) {
    const op = { ...given, body: withReal(given.body, batch.ids) as OutboxOp['body'] }
    const result: Envelope = over ?? refusalOf(op, waits, batch) ?? (await run(op, sentAt, sender))
    results.push(result)
    if (OVER.has(result.meta.code)) over = result
    recordResult(op, result, batch)
  }
  return { results, ids: Object.fromEntries(batch.ids) }
}

/** Why an operation is not executed; null if it is. */
function refusalOf(op: OutboxOp, waits: ReadonlySet<string>, batch: Batch): Envelope | null {
  if (!waits.has(routeOf(op.path)) || NEVER_WAITS.test(op.path))
    return not(400, 'VALIDATION', text('sync.path'), op.path)
  const broken =
    textsIn(op.body).find((id) => batch.lost.has(id)) ??
    recordsOf(op).find((record) => batch.failed.has(record))
  return broken === undefined ? null : not(409, 'PARENT_FAILED', text('sync.parent'), broken)
}

function not<C extends RefusalCode>(code: C, type: ErrorType<C>, message: string, detail: string): Envelope {
  return refused(new Refusal(code, { type, detail }, message, null))
}

/** The records of an operation: its `id` and `ids`. */
function recordsOf({ path, body }: OutboxOp): readonly string[] {
  const ids = [body.id, ...(Array.isArray(body.ids) ? body.ids : [])]
  return ids.filter((id) => typeof id === 'string').map((id) => recordOf(path, id))
}

/** A path as its route is written: modules of a tenant's own share theirs. */
const routeOf = (path: string): string => path.replace(/^\/mini\/m\/[a-z]\w{0,39}\//, '/mini/m/:module/')

/** A record, with its entity from the path. */
function recordOf(path: string, id: string): string {
  const [, , first, module] = path.split('/')
  return `${first === 'm' ? `m/${module}` : first}/${id}`
}

/** Every text of a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** Records the result of an operation. For a call on several records, some may have failed. */
function recordResult(op: OutboxOp, { meta, data }: Envelope, { ids, lost, failed }: Batch): void {
  if (meta.code !== 200) {
    for (const record of recordsOf(op)) failed.add(record)
    if (op.tempId !== undefined) lost.add(op.tempId)
    return
  }
  const id = ownValue(data, 'id')
  if (op.tempId !== undefined && typeof id === 'string') ids.set(op.tempId, id)
  const some = ownValue(data, 'failed')
  for (const one of Array.isArray(some) ? some : [])
    failed.add(recordOf(op.path, String(ownValue(one, 'id'))))
}

/** Executes the operation as a separate call. A token that was renewed in this batch is used. */
async function run(
  op: OutboxOp,
  sentAt: string | undefined,
  { app, request, reply, now }: Sender,
): Promise<Envelope> {
  const renewed = reply.getHeader('x-auth-token')
  const zone = callerOf(request).tenant.timezone
  const answer = await app.inject({
    method: 'POST',
    url: op.path,
    remoteAddress: request.ip,
    headers: {
      authorization: typeof renewed === 'string' ? renewed : request.headers.authorization,
      'x-queued-ms': String(waitedMs(op, sentAt, zone, now)),
    },
    payload: { ...op.body, clientToken: op.clientToken },
  })
  // Transport faults have `error` beside the envelope.
  const { meta, data } = answer.json<Envelope>()
  return { meta, data }
}

/** How long the operation has waited, measured by the device's own clock if the current time is given. */
function waitedMs({ at }: OutboxOp, sentAt: string | undefined, zone: string, now: number): number {
  const written = at === undefined ? null : parseDateTime(at, zone)
  const sent = sentAt === undefined ? null : parseDateTime(sentAt, zone)
  return written === null ? 0 : Math.max(0, (sent?.getTime() ?? now) - written.getTime())
}

function withReal(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((it) => withReal(it, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, withReal(it, ids)]))
}
