import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalDelegate, ApprovalDelegateRow } from '../../../contract/approval.ts'
import { approvedEntities } from '../../kernel/approvals/entity.ts'
import { eligible } from '../../kernel/approvals/people.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { findMember } from '../../kernel/records/member.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { minuteText, parseDateTime } from '../../kernel/time/zone.ts'
import { delegateWaiting } from './keep-going.ts'

const MAX_DAYS = 180
const DAY_MS = 86_400_000

/** The current or future delegate of the caller, or of `userId`; null if there is none. */
export async function delegateOf(
  userId: string | undefined,
  ctx: CallContext,
): Promise<ApprovalDelegate | null> {
  const { user_id: person } = await delegator(userId, ctx)
  const { trx, caller, now, zone } = ctx
  const { rows } =
    await sql<object>`select d.user_id as "userId", d.to_user_id as "toUserId", m.name as "toUserName",
      d.from_at as "from", d.until_at as "until"
    from approval_delegate d join membership m on m.tenant_id = d.tenant_id and m.user_id = d.to_user_id
    where d.tenant_id = ${caller.tenantId} and d.user_id = ${person} and d.until_at > ${now}`.execute(trx)
  return rows[0] === undefined ? null : (wireRow(rows[0], zone) as unknown as ApprovalDelegate)
}

/** Current and future delegations: from the caller or to them, and for administrators of flows everybody's. */
export async function delegateList({ trx, caller, now, zone }: CallContext) {
  const seesAll = caller.permissions.has('system:flow')
  const { rows } =
    await sql<object>`select d.user_id as "userId", o.name as "userName", d.to_user_id as "toUserId",
      m.name as "toUserName", d.from_at as "from", d.until_at as "until", d.from_at <= ${now} as begun,
      (d.user_id = ${caller.userId} or ${seesAll}) as "mayEnd"
    from approval_delegate d join membership m on m.tenant_id = d.tenant_id and m.user_id = d.to_user_id
    join membership o on o.tenant_id = d.tenant_id and o.user_id = d.user_id
    where d.tenant_id = ${caller.tenantId} and d.until_at > ${now}
      and (${seesAll} or d.user_id = ${caller.userId} or d.to_user_id = ${caller.userId})
    order by d.from_at, d.user_id`.execute(trx)
  const list = rows.map((row) => wireRow(row, zone) as unknown as ApprovalDelegateRow)
  return { list, mine: list.some((row) => row.userId === caller.userId) }
}

/**
 * 委托: while somebody is away another person decides for them, and keeps the approvals received during that time.
 *
 * @param body  `toUserId`, `from` (default: now), `until`, `withRunning` (also transfers approvals that already wait), `userId`
 * @throws Refusal 400 for an invalid time, one in the past or longer than 180 days, or a person who may not decide
 */
export async function saveDelegate(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const { user_id: person, name } = await delegator(body.userId, ctx)
  const to = await findMember(body.toUserId, ctx)
  const { from, until } = spanOf(body, ctx)
  if (to.user_id === person || !(await mayDecide(to.user_id, ctx))) wrong('toUserId', text('approval.person'))
  await sql`insert into approval_delegate (tenant_id, user_id, to_user_id, from_at, until_at, updated_by, updated_at)
    values (${caller.tenantId}, ${person}, ${to.user_id}, ${from}, ${until}, ${caller.userId}, ${now})
    on conflict (tenant_id, user_id) do update set to_user_id = excluded.to_user_id, from_at = excluded.from_at,
      until_at = excluded.until_at, updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(
    trx,
  )
  await notifyDelegate(to.user_id, name, from, until, ctx)
  const moved = body.withRunning === true && from <= now ? await delegateWaiting(person, ctx) : 0
  const data = { ...(await delegateOf(person, ctx)), moved }
  return { data: data as unknown as Json, recordId: person, detail: data as unknown as JsonObject }
}

/** Ends a delegation; approvals that the delegate has received stay with them. */
export async function endDelegate(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const { user_id: person } = await delegator(body.userId, ctx)
  await sql`delete from approval_delegate where tenant_id = ${caller.tenantId} and user_id = ${person}`.execute(
    trx,
  )
  return { data: null, recordId: person }
}

/** The person whose delegation is changed: the caller, or for administrators of flows anybody. */
async function delegator(
  given: Json | undefined,
  ctx: CallContext,
): Promise<{ readonly user_id: string; readonly name: string }> {
  const { caller } = ctx
  if (given === undefined || given === caller.userId) return { user_id: caller.userId, name: caller.name }
  requires(caller, 'system:flow')
  return findMember(given, ctx)
}

/** A delegate is told the period: the approvals they receive then show another person's name. */
function notifyDelegate(
  to: string,
  by: string,
  from: Date,
  until: Date,
  { trx, caller, now, zone }: CallContext,
) {
  const minute = (moment: Date): string => minuteText(moment, zone)
  return announce(trx, {
    event: 'approval.delegated',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [to],
    entity: 'approval',
    ids: [],
    params: { by, from: minute(from), until: minute(until) },
    link: { route: '/pages/my/delegate/index', query: {} },
  })
}

function spanOf({ from, until }: JsonObject, { now, zone }: CallContext) {
  const begin = (from ?? '') === '' ? now : momentOf(from, zone)
  const end = momentOf(until, zone)
  if (begin === null || end === null || end <= now || end <= begin)
    wrong('until', text('approval.delegate.span'))
  if (end.getTime() - begin.getTime() > MAX_DAYS * DAY_MS)
    wrong('until', text('approval.delegate.long', { days: MAX_DAYS }))
  return { from: begin, until: end }
}

function wrong(field: string, words: string): never {
  refuse(400, 'VALIDATION', words, { fields: { [field]: words } })
}

function momentOf(value: Json | undefined, zone: string): Date | null {
  return typeof value === 'string' ? parseDateTime(value, zone) : null
}

async function mayDecide(person: string, ctx: CallContext): Promise<boolean> {
  for (const entity of approvedEntities(ctx))
    if ((await eligible([person], { entity, barred: [] }, ctx)).length > 0) return true
  return false
}
