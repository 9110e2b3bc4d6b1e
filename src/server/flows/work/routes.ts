import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { signFileUrl } from '../../kernel/files/signed-url.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { isStillTheirs } from './made-with.ts'
import { deleteExpiredResults } from './result-file.ts'
import type { Work } from './work.ts'

const MAX_LIST = 30

/** /mini/job/…: the caller's background work (DOMAIN 8.3). */
export const workRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { id: string } }>(
    '/mini/job/detail',
    {
      schema: {
        querystring: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', maxLength: 64 } },
        },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return runRead(services, caller, async (ctx) =>
        drawWhole(await findWork(request.query.id, ctx), { services, ctx, caller }),
      )
    },
  )
  app.post('/mini/job/list', async (request) => {
    const caller = callerOf(request)
    return runRead(services, caller, async (ctx) => {
      await deleteExpiredResults({ ...caller, trx: ctx.trx, now: ctx.now })
      const { rows } = await sql<Work>`select * from work where tenant_id = ${caller.tenantId}
        and user_id = ${caller.userId} order by created_at desc, id limit ${MAX_LIST}`.execute(ctx.trx)
      return { list: rows.map((work) => drawWork(work, { services, ctx, caller })) }
    })
  })
  writer(app, services, 'work')('/mini/job/cancel', null, async (body, ctx) => {
    const work = await findWork(String(body.id ?? ''), ctx)
    const { trx, caller, now } = ctx
    const { rows } = await sql`update work set status = 'cancelled', finished_at = ${now}
      where tenant_id = ${caller.tenantId} and id = ${work.id} and status in ('waiting', 'running') returning 1`.execute(
      trx,
    )
    if (rows.length === 0) refuse(409, 'STATE_CONFLICT', text('work.over'))
    return { data: { id: work.id }, recordId: work.id }
  })
}

/** Only the caller's own; other people's do not exist for them. */
async function findWork(id: string, { trx, caller }: CallContext): Promise<Work> {
  const { rows } = await sql<Work>`select * from work where tenant_id = ${caller.tenantId}
    and user_id = ${caller.userId} and id = ${id}`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

const REFUSED_SHOWN = 20

/** Who reads their work, with the rights that their session has. */
interface Reader {
  readonly services: Services
  readonly ctx: CallContext
  readonly caller: Caller
}

/** One piece of work, with the first refused rows of its file. */
function drawWhole(work: Work, reader: Reader): Json {
  const failures = Array.isArray(work.failures) ? work.failures : []
  const refused = failures.flatMap((failure) => {
    if (!Array.isArray(failure) || typeof failure[0] !== 'number') return []
    const [at, reason = '', titles] = failure
    const column = Array.isArray(titles) ? titles.filter((title) => title !== '').join('、') : ''
    return [{ at, reason, column }]
  })
  return { ...drawWork(work, reader), refused: refused.slice(0, REFUSED_SHOWN) }
}

function drawWork(work: Work, { services, ctx, caller }: Reader): JsonObject {
  const { secret, now: clock } = services
  const { zone, now } = ctx
  const { status, total, done, ok, failed } = work
  const isOver = status !== 'waiting' && status !== 'running'
  const isThere = work.file_id !== null && work.expires_at > now
  const hasFile = isThere && isStillTheirs(work, caller)
  return {
    id: work.id,
    kind: work.kind,
    entity: work.entity,
    title: work.title,
    status,
    progress: status === 'done' ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100)),
    total,
    done,
    ok,
    failed,
    message: isThere && !hasFile ? text('work.other-rights') : work.message,
    // Signed at each request; valid for ten minutes.
    fileUrl: hasFile && work.file_id !== null ? signFileUrl(caller, work.file_id, secret, clock()) : null,
    fileName: hasFile ? work.file_name : null,
    expires_at: dateTimeText(work.expires_at, zone),
    created_at: dateTimeText(work.created_at, zone),
    actions: isOver ? [] : ['cancel'],
  }
}
