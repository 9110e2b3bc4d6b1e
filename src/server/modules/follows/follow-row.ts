import { sql } from 'kysely'
import type { FollowDetail, FollowRow } from '../../../contract/follow.ts'
import { scopeOf } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { maskRow } from '../../kernel/visibility/masking.ts'
import { membersInScope } from '../../kernel/visibility/predicate.ts'
import { AUTHOR_WINDOW_MS } from './check-follow.ts'
import { FOLLOW_FROM, followColumns, followsFrom, isFollowOfOwned, isFollowSeen } from './list-spec.ts'
import { placeText } from './place-text.ts'
import { followMask, type Placed, seenContent } from './seen-content.ts'

/** A follow-up as stored in the database. */
export interface StoredFollow extends Placed {
  readonly id: string
  readonly author_id: string
  readonly created_at: Date
  readonly contact_ids: readonly string[]
  readonly location: unknown
}

/** A row of a list of follow-ups as the API returns it. */
export function drawFollow(row: StoredFollow, ctx: CallContext): FollowRow {
  const { contact_ids: _ids, in_pool: _isInPool, ...shown } = row
  const full = { ...shown, place_text: placeText(row.location) }
  return {
    ...(wireRow(maskRow(full, followMask(ctx.caller, row)), ctx.zone) as unknown as FollowRow),
    actions: followActions(row, ctx),
  }
}

function followActions(row: StoredFollow, { caller, now }: CallContext): FollowRow['actions'] {
  const isMine =
    row.author_id === caller.userId && now.getTime() - row.created_at.getTime() <= AUTHOR_WINDOW_MS
  const may = (action: 'edit' | 'del' | 'comment') => caller.permissions.has(`follow:${action}`)
  return [
    ...(isMine && may('edit') ? (['edit'] as const) : []),
    ...(isMine && may('del') ? (['delete'] as const) : []),
    ...(may('comment') ? (['comment'] as const) : []),
  ]
}

/** Query for a follow-up that was just created, on a record that the caller sees, with the columns of every list. */
export const madeFollow = ({ caller }: CallContext) =>
  sql<StoredFollow>`select ${followColumns(caller)} from ${followsFrom('made')}`

async function readFollow(id: string, ctx: CallContext): Promise<StoredFollow> {
  const { trx, caller } = ctx
  const { rows } = await sql<StoredFollow>`select ${followColumns(caller)} from ${FOLLOW_FROM}
    where ${isFollowSeen(ctx, 'f')} and f.id = ${id}`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Those of the given follow-ups whose record has an owner and is visible to the caller, unordered. */
export async function ownedFollows(ids: readonly string[], ctx: CallContext): Promise<readonly FollowRow[]> {
  const { rows } = await sql<StoredFollow>`select ${followColumns(ctx.caller)} from ${FOLLOW_FROM}
    where ${isFollowOfOwned(ctx, 'f')} and f.id = any(${[...ids]}::text[])`.execute(ctx.trx)
  return rows.map((row) => drawFollow(row, ctx))
}

/** One follow-up. 404 if the caller sees none of its records. */
export async function followRow(id: string, ctx: CallContext): Promise<FollowRow> {
  return drawFollow(await readFollow(id, ctx), ctx)
}

/** GET /mini/follow/detail: the follow-up, the contacts who took part, and the comments of colleagues. */
export async function followDetail(id: string, ctx: CallContext): Promise<FollowDetail> {
  const { trx, caller, zone } = ctx
  const found = await readFollow(id, ctx)
  const contacts = await sql<{ id: string; name: string }>`select id, name from contact
    where not ${found.in_pool} and tenant_id = ${caller.tenantId} and id = any(${[...found.contact_ids]}::text[])`.execute(
    trx,
  )
  const comments = await sql<{ content: string }>`
    select k.id, k.content, k.author_id, m.name as author_name, k.reply_to_id, k.created_at,
      (select who.name from follow_comment o join membership who on who.tenant_id = o.tenant_id and who.user_id = o.author_id
        where o.tenant_id = k.tenant_id and o.id = k.reply_to_id) as reply_to_name
    from follow_comment k left join membership m on m.tenant_id = k.tenant_id and m.user_id = k.author_id
    where k.tenant_id = ${caller.tenantId} and k.follow_id = ${id} and k.deleted_at is null
    order by k.created_at, k.id limit 200`.execute(trx)
  return {
    record: drawFollow(found, ctx),
    contacts: contacts.rows,
    comments: comments.rows.map((row) =>
      wireRow({ ...row, content: seenContent(row.content, found, caller) }, zone),
    ) as unknown as FollowDetail['comments'],
  }
}

/** A follow-up locked for a change: by its author within 24 hours, afterwards only by a superior (DOMAIN 1.10). */
export async function followForChange(id: string, ctx: CallContext) {
  const { trx, caller, now } = ctx
  const { rows } = await sql<
    StoredFollow &
      Record<
        'customer_id' | 'lead_id' | 'bussiness_id' | 'contract_id' | 'record_module' | 'record_id',
        string | null
      >
  >`
    select f.* from follow f where ${isFollowSeen(ctx, 'f')} and f.id = ${id} for update of f`.execute(trx)
  const found = rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  const isOwn = found.author_id === caller.userId
  const isInTime = now.getTime() - found.created_at.getTime() <= AUTHOR_WINDOW_MS
  if (isOwn ? !isInTime : !(await isSuperiorOf(found.author_id, ctx)))
    refuse(405, 'NO_PERMISSION', text('follow.window'), { detail: 'follow' })
  return found
}

async function isSuperiorOf(userId: string, { trx, caller }: CallContext): Promise<boolean> {
  const leads = caller.permissions.has('follow:comment') && scopeOf(caller, 'customer') !== 'self'
  if (!leads) return false
  const { rows } =
    await sql`select 1 from (${membersInScope(caller, 'customer')}) people where user_id = ${userId}`.execute(
      trx,
    )
  return rows.length > 0
}
