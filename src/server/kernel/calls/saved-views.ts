import { type RawBuilder, sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Caller } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import { newId } from '../db/id.ts'
import { json } from '../db/json.ts'
import { readListRequest } from '../lists/list-request.ts'
import type { ListSpec } from '../lists/list-spec.ts'
import { openList } from '../lists/open-list.ts'
import type { WriteResult } from '../records/write-once.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { type SavedView, shownViews } from './shown-views.ts'

/** Maximum number of a person's own views, and of a tenant's shared views, per list (DOMAIN 8.7). */
const MAX_OWN = 10
const MAX_SHARED = 20
/** Maximum of the shared ones that are one person's: nobody uses up the others' room. */
const MAX_SHARED_BY_ONE = 5
/** Whoever changes the screens of all may also remove what somebody shared on them. */
const removesShared = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions.has('system:form')
/** Maximum characters of a screen's fields, as JSON. */
const MAX_STATE = 8000

/** The caller's saved views of a list and those shared with them, their own first, without conditions that are no longer available. */
export async function savedViews(entity: string, ctx: CallContext) {
  const { trx, caller } = ctx
  const { rows } = await sql<SavedView>`
    select v.id, v.name, v.shared, v.request, v.state, v.lost, v.user_id = ${caller.userId} as own, m.name as user_name,
      case when v.user_id = ${caller.userId} then v.is_default else d.view_id is not null end as is_default,
      v.user_id = ${caller.userId} or ${removesShared(caller)} as removable
    from saved_view v join membership m on m.tenant_id = v.tenant_id and m.user_id = v.user_id
      left join shared_default d on d.tenant_id = v.tenant_id and d.view_id = v.id and d.user_id = ${caller.userId}
    where v.tenant_id = ${caller.tenantId} and v.entity = ${entity} and (v.shared or v.user_id = ${caller.userId})
    order by own desc, v.created_at, v.id`.execute(trx)
  return { list: await shownViews(rows, entity, ctx) }
}

/**
 * Saves tab, keyword, filters and sort of a list under a name; a view of the same person with the same name is replaced.
 *
 * @param body  `name`, `shared`, `isDefault` (opens with the list), `state` (fields of the screen, returned unchanged), `id` of
 * a view to be changed, and the list request's `tab`, `keyword`, `filters`, `sort`
 */
export async function saveView(
  spec: ListSpec,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const { name, shared, id, isDefault, state = {}, ...request } = body
  if (typeof name !== 'string' || name.trim() === '' || name.trim().length > 40)
    refuse(400, 'VALIDATION', text('view.name'), { fields: { name: text('view.name') } })
  openList(spec, readListRequest(request), ctx).check()
  if (!isObject(state) || JSON.stringify(state).length > MAX_STATE)
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'state' })
  const isShared = shared === true
  const named = sql`v.tenant_id = ${caller.tenantId} and v.user_id = ${caller.userId} and v.entity = ${spec.entity}
    and (v.id = ${typeof id === 'string' ? id : ''} or v.name = ${name.trim()})`
  const followers = await followersOf(named, ctx)
  const { rows: replaced } = await sql<{
    is_default: boolean
  }>`delete from saved_view v where ${named} returning v.is_default`.execute(trx)
  const viewId = newId(now.getTime())
  await sql`insert into saved_view (tenant_id, id, entity, user_id, shared, name, request, state, created_at, updated_at)
    values (${caller.tenantId}, ${viewId}, ${spec.entity}, ${caller.userId}, ${isShared}, ${name.trim()},
      ${json(request)}, ${json(state)}, ${now}, ${now})`.execute(trx)
  if (isDefault ?? replaced.some((view) => view.is_default)) await openWith(spec.entity, viewId, ctx)
  if (isShared) await follow(spec.entity, viewId, followers, ctx)
  const { rows } = await sql<{ own: number; shared: number; mine: number }>`select
      count(*) filter (where user_id = ${caller.userId} and not shared) as own, count(*) filter (where shared) as shared,
      count(*) filter (where user_id = ${caller.userId} and shared) as mine
    from saved_view where tenant_id = ${caller.tenantId} and entity = ${spec.entity}`.execute(trx)
  const { own = 0, shared: sharedCount = 0, mine = 0 } = rows[0] ?? {}
  if (own > MAX_OWN || sharedCount > MAX_SHARED || mine > MAX_SHARED_BY_ONE)
    refuse(
      400,
      'VALIDATION',
      text('view.most', { own: MAX_OWN, mine: MAX_SHARED_BY_ONE, shared: MAX_SHARED }),
    )
  return { data: { id: viewId, name: name.trim(), shared: isShared }, recordId: viewId }
}

/** Makes a view that the caller sees, their own or a shared one, the default of its list; without an `id`, none. @param body `id` */
export async function defaultView(
  entity: string,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const id = typeof body.id === 'string' && body.id !== '' ? body.id : null
  await openWith(entity, id, ctx)
  return { data: { id }, ...(id === null ? {} : { recordId: id }) }
}

async function openWith(entity: string, id: string | null, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const mine = sql`tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and entity = ${entity}`
  await sql`update saved_view set is_default = false where ${mine} and is_default`.execute(trx)
  await sql`delete from shared_default where ${mine}`.execute(trx)
  if (id === null) return
  const { rows } =
    await sql`update saved_view set is_default = true where ${mine} and id = ${id} returning 1`.execute(trx)
  if (rows.length > 0) return
  const { rows: shared } = await sql`select 1 from saved_view
    where tenant_id = ${caller.tenantId} and entity = ${entity} and id = ${id} and shared`.execute(trx)
  if (shared.length === 0) refuse(404, 'NOT_FOUND', text('call.not-found'))
  await follow(entity, id, [caller.userId], ctx)
}

/** Whose default the views are, beside their author. */
async function followersOf(
  views: RawBuilder<unknown>,
  { trx }: Pick<CallContext, 'trx'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select distinct d.user_id from shared_default d
    join saved_view v on v.tenant_id = d.tenant_id and v.id = d.view_id where ${views}`.execute(trx)
  return rows.map(({ user_id }) => user_id)
}

/** Makes a shared view the default of colleagues who have no other. */
async function follow(
  entity: string,
  viewId: string,
  userIds: readonly string[],
  { trx, caller }: CallContext,
): Promise<void> {
  if (userIds.length === 0) return
  await sql`insert into shared_default (tenant_id, user_id, entity, view_id)
    select ${caller.tenantId}, user_id, ${entity}, ${viewId} from unnest(${[...userIds]}::text[]) as user_id
    on conflict do nothing`.execute(trx)
}

/** Deletes a view of the caller's own, or a shared one for those who may remove these; 404 for any other. */
export async function deleteView(
  entity: string,
  body: JsonObject,
  { trx, caller }: CallContext,
): Promise<WriteResult<Json>> {
  const id = String(body.id ?? '')
  const { rows } = await sql`delete from saved_view where tenant_id = ${caller.tenantId}
    and (user_id = ${caller.userId} or shared and ${removesShared(caller)}) and entity = ${entity} and id = ${id} returning 1`.execute(
    trx,
  )
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('call.not-found'))
  return { data: { id }, recordId: id }
}
