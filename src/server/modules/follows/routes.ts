import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { modelLock, runRead, runStandbyRead, writeContext } from '../../kernel/calls/run-read.ts'
import { foreseen } from '../../kernel/calls/standard-routes.ts'
import { writtenAt } from '../../kernel/calls/written-at.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import {
  findAhead,
  formStateOf,
  type Judged,
  validateWithPage,
  withVerdicts,
} from '../../kernel/forms/validate-with-page.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { bad, readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { type WriteResult, writeOnce } from '../../kernel/records/write-once.ts'
import { isLive } from '../../kernel/visibility/predicate.ts'
import { startCall } from './calls.ts'
import { commentFollow, removeFollow, restoreFollow, updateFollow } from './change-follow.ts'
import { MAX_BACKDATE_DAYS } from './check-follow.ts'
import { createFollow } from './create-follow.ts'
import { drawFollow, followDetail, type StoredFollow } from './follow-row.ts'
import { likeFollow } from './like-follow.ts'
import { FOLLOW_LIST } from './list-spec.ts'
import type { FollowTarget } from './tables.ts'
import { isOwnTarget, resolveTarget } from './target.ts'
import { visitsOfDay } from './visits.ts'

const FORM_PAGE = '/pages/customer/my/follow/add'
const TARGETS: readonly FollowTarget[] = ['customer', 'lead', 'bussiness', 'contract', 'contact']

const words = { type: 'string', maxLength: 64 } as const
const VISITS = { querystring: { type: 'object', properties: { day: words, userId: words } } } as const

/** /mini/follow/… (DOMAIN 8.5). */
export const followRoutes: Resource = (app, services) => {
  app.post('/mini/follow/list', { config: { permission: 'follow:view' } }, (request) =>
    runStandbyRead(services, callerOf(request), (ctx) => followList(request.body, ctx)),
  )
  app.get<OneId>(
    '/mini/follow/detail',
    { schema: ONE_ID, config: { permission: 'follow:view' } },
    (request) => runRead(services, callerOf(request), (ctx) => followDetail(request.query.id, ctx)),
  )
  app.get<{ Querystring: { day?: string; userId?: string } }>(
    '/mini/follow/visits',
    { schema: VISITS, config: { permission: 'follow:view' } },
    (request) => runRead(services, callerOf(request), (ctx) => visitsOfDay(request.query, ctx)),
  )
  const write = (
    path: string,
    permission: Permission,
    work: (
      body: JsonObject,
      ctx: CallContext,
      request: FastifyRequest,
      judged: Judged,
    ) => Promise<WriteResult<Json>>,
    judgedBy?: string,
  ) =>
    app.post(path, { config: { permission, once: true } }, (request) =>
      withVerdicts(
        services,
        formStateOf(request),
        (judged) =>
          writeOnce(
            services.database,
            request,
            { action: permission, entity: 'follow' },
            async (trx, caller, isHeld) =>
              work(
                bodyOf(request.body),
                await writeContext(services, caller, trx, { isHeld }),
                request,
                judged,
              ),
            {
              along: modelLock(services),
              ahead: judgedBy === undefined ? undefined : findAhead(judged, judgedBy),
              isAtOnce: services.modules.known(callerOf(request).tenantId) !== undefined,
            },
          ),
        judgedBy === undefined ? undefined : foreseen(judgedBy, request, services),
      ),
    )
  write(
    '/mini/follow/create',
    'follow:add',
    (body, ctx, request, judged) =>
      createFollow(
        body,
        ctx,
        validateWithPage(judged, FORM_PAGE, ctx),
        writtenAt(request, ctx.now, MAX_BACKDATE_DAYS),
      ),
    FORM_PAGE,
  )
  write('/mini/follow/update', 'follow:edit', updateFollow)
  const each =
    (work: (id: string, ctx: CallContext) => Promise<void>) => async (body: JsonObject, ctx: CallContext) => {
      const ids = idsOf(typeof body.id === 'string' ? { ids: [body.id] } : body)
      return { data: await eachRecord(ids, (id) => work(id, ctx), ctx.trx), detail: body }
    }
  write('/mini/follow/delete', 'follow:del', each(removeFollow))
  write('/mini/follow/restore', 'follow:del', each(restoreFollow))
  write('/mini/follow/comment', 'follow:comment', commentFollow)
  write('/mini/follow/call-start', 'follow:view', startCall)
  write('/mini/follow/like', 'follow:view', likeFollow)
}

/** The timeline of one record needs no branches: it has an index in its order. */
const { branches: _feed, ...TIMELINE } = FOLLOW_LIST

/** Whoever sees a record of an own module sees its follow-ups, and that was checked before. */
const { found: _holders, ...ON_RECORD } = TIMELINE
const OWN_TIMELINE: ListSpec = { ...ON_RECORD, visible: ({ caller }) => isLive(caller, 'f') }

/** The timeline of one record (`targetType`, `targetId`), or the feed of everything the caller sees. */
async function followList(body: unknown, ctx: CallContext) {
  const { targetType, targetId, ...rest } = isObject(body) ? body : {}
  const request = readListRequest(rest)
  const draw = (row: StoredFollow) => drawFollow(row, ctx)
  if (targetType === undefined && targetId === undefined)
    return openList<StoredFollow>(describedList(FOLLOW_LIST, ctx), request, ctx).page(draw)
  const isOwn = typeof targetType === 'string' && isOwnTarget(targetType)
  const type = isOwn ? targetType : (TARGETS.find((it) => it === targetType) ?? bad('targetType'))
  if (typeof targetId !== 'string') bad('targetId')
  const target = await resolveTarget(type, targetId, ctx)
  const where =
    type === 'contact'
      ? sql<boolean>`f.customer_id = ${target.customer_id} and ${targetId} = any(f.contact_ids || f.target_id)`
      : target.record_id === null
        ? sql<boolean>`${sql.ref(`f.${type}_id`)} = ${targetId}`
        : sql<boolean>`f.record_module = ${target.record_module} and f.record_id = ${target.record_id}`
  const part = { where, key: `${type}/${targetId}` }
  return openList<StoredFollow>(describedList(isOwn ? OWN_TIMELINE : TIMELINE, ctx), request, ctx, part).page(
    draw,
  )
}
