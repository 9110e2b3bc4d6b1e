import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { ActivityMember } from '../../../contract/activity.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { idOf } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { isVisibleOwned } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { findActivity } from './activity.ts'

/** Maximum number of participants in one call, and of one activity. */
const MAX_PER_CALL = 200
const MAX_MEMBERS = 1000
const STATES = ['invited', 'registered', 'signed', 'absent'] as const
type State = (typeof STATES)[number]

/** The participants of an activity. A name the caller may not see is masked. @param memberId  only this participant */
export async function membersOf(
  id: string,
  { trx, caller, zone }: CallContext,
  memberId: string | null = null,
): Promise<readonly ActivityMember[]> {
  const { rows } = await sql<Omit<ActivityMember, 'at'> & { at: Date; visible: boolean }>`
    select m.id, m.target_type, m.target_id, coalesce(k.name, l.contact_name, l.name, '') as name,
      coalesce(c.name, l.company, l.name, '') as company, m.status, m.at,
      coalesce(case m.target_type when 'contact' then ${isVisibleOwned(caller, 'customer', 'c')}
        else ${isVisibleOwned(caller, 'lead', 'l')} end, false) as visible
    from activity_member m
    left join contact k on m.target_type = 'contact' and k.tenant_id = m.tenant_id and k.id = m.target_id
    left join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    left join lead l on m.target_type = 'lead' and l.tenant_id = m.tenant_id and l.id = m.target_id
    where m.tenant_id = ${caller.tenantId} and m.activity_id = ${id}
      and (${memberId}::text is null or m.id = ${memberId})
    order by m.created_at, m.id limit ${MAX_MEMBERS}`.execute(trx)
  return rows.map(({ visible, ...row }) => {
    const shown = visible ? row : { ...row, name: maskName(row.name), company: maskName(row.company) }
    return wireRow(shown, zone) as unknown as ActivityMember
  })
}

/** Adds participants, changes their state, or removes them (`remove: true`) (DOMAIN 8.4). */
export async function saveMembers(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { id } = await liveActivity(body, ctx)
  const { members } = body
  const isList = Array.isArray(members) && members.length > 0 && members.length <= MAX_PER_CALL
  if (!isList || !members.every(isObject))
    refuseFaults({ members: text('activity.members', { most: MAX_PER_CALL }) })
  for (const member of (members ?? []) as readonly JsonObject[]) {
    const target = await seenTarget(member, ctx)
    const status = STATES.find((it) => it === member.status) ?? 'invited'
    if (member.remove === true) await takeOut(id, target, ctx)
    else await setState(id, target, status, ctx)
  }
  return { data: { id, list: (await membersOf(id, ctx)) as unknown as Json }, recordId: id, detail: body }
}

/**
 * Signs in a participant by the id of their row (which their code contains), or by contact or lead, who is added if they are not a participant yet
 * (DOMAIN 1.8). A second sign-in keeps the time of the first. Nobody can sign in before the day the activity begins.
 */
export async function signIn(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now, zone } = ctx
  const { id, start_at } = await liveActivity(body, ctx)
  const isEarly = now < instantOf(startOfDay(wallTimeOf(start_at, zone)), zone)
  if (isEarly) refuse(409, 'STATE_CONFLICT', text('activity.not-begun'))
  if (typeof body.memberId === 'string') {
    const { rows } = await sql`update activity_member set status = 'signed',
        at = case when status = 'signed' then at else ${now}::timestamptz end, updated_by = ${caller.userId},
        updated_at = ${now}, version = version + 1
      where tenant_id = ${caller.tenantId} and activity_id = ${id} and id = ${body.memberId} returning 1`.execute(
      trx,
    )
    if (rows.length === 0) refuse(404, 'NOT_FOUND', text('call.not-found'))
  } else await setState(id, await seenTarget(body, ctx), 'signed', ctx)
  return { data: { id, list: (await membersOf(id, ctx)) as unknown as Json }, recordId: id, detail: body }
}

async function liveActivity(body: JsonObject, ctx: CallContext) {
  const found = await findActivity(idOf(body), ctx, true)
  if (found.cancelled_at !== null) refuse(409, 'STATE_CONFLICT', text('activity.cancelled'))
  return found
}

interface Target {
  readonly type: 'contact' | 'lead'
  readonly id: string
}

/** The contact or lead that a call names. 404 if the caller does not see it. */
async function seenTarget({ contactId, leadId }: JsonObject, { trx, caller }: CallContext): Promise<Target> {
  const { rows } =
    typeof contactId === 'string'
      ? await sql`select 1 from contact k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
          where k.tenant_id = ${caller.tenantId} and k.id = ${contactId} and k.deleted_at is null
            and ${isVisibleOwned(caller, 'customer', 'c')}`.execute(trx)
      : await sql`select 1 from lead l where l.id = ${String(leadId)} and ${isVisibleOwned(caller, 'lead', 'l')}`.execute(
          trx,
        )
  if (rows.length === 0) refuse(404, 'NOT_FOUND', text('call.not-found'))
  return typeof contactId === 'string'
    ? { type: 'contact', id: contactId }
    : { type: 'lead', id: String(leadId) }
}

async function setState(activityId: string, target: Target, status: State, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  await sql`insert into activity_member (tenant_id, id, activity_id, target_type, target_id, status, at, created_by,
      created_at, updated_by, updated_at)
    values (${caller.tenantId}, ${newId(now.getTime())}, ${activityId}, ${target.type}, ${target.id}, ${status}, ${now},
      ${caller.userId}, ${now}, ${caller.userId}, ${now})
    on conflict (tenant_id, activity_id, target_type, target_id) do update set status = excluded.status,
      at = case when activity_member.status = excluded.status then activity_member.at else excluded.at end, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
      version = activity_member.version + 1`.execute(trx)
}

async function takeOut(
  activityId: string,
  { type, id }: Target,
  { trx, caller }: CallContext,
): Promise<void> {
  await sql`delete from activity_member where tenant_id = ${caller.tenantId} and activity_id = ${activityId}
    and target_type = ${type} and target_id = ${id}`.execute(trx)
}
