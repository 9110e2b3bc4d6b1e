import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity, PoolName } from '../context/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { parseDateTime } from '../time/zone.ts'
import { type Announcement, announce } from './announce.ts'
import { findInScope, findRecord } from './find-record.ts'
import { findReceiver } from './member.ts'
import { wireRow } from './wire.ts'
import type { WriteResult } from './write-once.ts'

/** Maximum collaborators of a record (DOMAIN 1.0). */
const MAX_TEAM = 20

/** A record that colleagues may share. */
export interface Teamed {
  readonly name: string
  readonly owner_id: string | null
}

/** Records of one kind that colleagues may share: how they are named, found and told of. */
export interface Teams {
  readonly entity: PoolName
  /** The record, where the caller sees it. @param lock  held until the transaction ends */
  readonly seen: (id: string, ctx: CallContext, lock?: boolean) => Promise<Teamed>
  /** The record, held, where it is the caller's or somebody's below them. */
  readonly inScope: (id: string, ctx: CallContext) => Promise<Teamed>
  /** As what a message is about it. */
  readonly announcementFor: (
    id: string,
  ) => Pick<Announcement, 'entity' | 'ids' | 'link'> & { readonly what?: string }
}

/** The teams of a kind of record of the product. */
export const teamsOf = (entity: PoolEntity): Teams => ({
  entity,
  seen: (id, ctx, lock) => findRecord(entity, id, ctx, lock),
  inScope: (id, ctx) => findInScope(entity, id, ctx, 'edit'),
  announcementFor: (id) => ({ entity, ids: [id] }),
})

/** The owner and the colleagues who share a record the caller sees. */
export async function readTeam({ entity, seen }: Teams, id: string, ctx: CallContext) {
  const { trx, caller, zone, now } = ctx
  const found = await seen(id, ctx)
  const { rows } = await sql<{ user_id: string; name: string; level: Level; expire_at: Date | null }>`
    select k.user_id, m.name, m.avatar, k.level, k.expire_at, k.created_at
    from collaborator k join membership m on m.tenant_id = k.tenant_id and m.user_id = k.user_id
    where k.tenant_id = ${caller.tenantId} and k.entity = ${entity} and k.record_id = ${id}
    order by k.created_at, k.user_id`.execute(trx)
  return {
    ownerId: found.owner_id,
    list: rows.map((row) => ({
      ...wireRow(row, zone),
      expired: row.expire_at !== null && row.expire_at <= now,
    })),
  }
}

type Level = 'read' | 'write'

interface TeamMember {
  readonly userId: string
  readonly level: Level
  readonly expireAt: Date | null
}

/**
 * Adds collaborators or changes their level and end date (DOMAIN 1.0): allowed for the owner and their superiors.
 *
 * @param body  `id`, `members: [{ userId, level, expireAt }]`
 */
export async function saveTeam(teams: Teams, body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const { entity } = teams
  const id = String(body.id ?? '')
  const found = await teams.inScope(id, ctx)
  const before = await membersText(entity, id, ctx)
  const members = readMembers(body.members, ctx)
  for (const { userId } of members) {
    await findReceiver(userId, `${entity}:view`, ctx)
    if (userId === found.owner_id) refuse(400, 'VALIDATION', text('team.owner'), { detail: 'members' })
  }
  for (const { userId, level, expireAt } of members)
    await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, expire_at, created_by, created_at)
      values (${caller.tenantId}, ${entity}, ${id}, ${userId}, ${level}, ${expireAt}, ${caller.userId}, ${now})
      on conflict (tenant_id, entity, record_id, user_id)
        do update set level = excluded.level, expire_at = excluded.expire_at`.execute(trx)
  const { rows } = await sql<{ n: number }>`select count(*) as n from collaborator
    where tenant_id = ${caller.tenantId} and entity = ${entity} and record_id = ${id}`.execute(trx)
  if ((rows[0]?.n ?? 0) > MAX_TEAM)
    refuse(400, 'VALIDATION', text('team.most', { most: MAX_TEAM }), { detail: 'members' })
  for (const { userId } of members)
    await notifyMembers(teams, 'collaborator.added', id, userId, { name: found.name, by: caller.name }, ctx)
  return {
    data: (await readTeam(teams, id, ctx)) as unknown as Json,
    recordId: id,
    detail: {
      members: members.map(({ userId, level }) => ({ userId, level })),
      before: { team: before },
      after: { team: await membersText(entity, id, ctx) },
    },
  }
}

/** Removes collaborators from a record; anybody may remove themselves. @param body `id`, `userIds[]` */
export async function removeFromTeam(
  teams: Teams,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const { entity } = teams
  const id = String(body.id ?? '')
  const userIds = Array.isArray(body.userIds) ? body.userIds.map(String) : []
  const isOnlyMe = userIds.length === 1 && userIds[0] === caller.userId
  const found = isOnlyMe ? await teams.seen(id, ctx, true) : await teams.inScope(id, ctx)
  const before = await membersText(entity, id, ctx)
  const { rows: removed } = await sql<{
    user_id: string
  }>`delete from collaborator where tenant_id = ${caller.tenantId}
    and entity = ${entity} and record_id = ${id} and user_id = any(${userIds}::text[]) returning user_id`.execute(
    trx,
  )
  for (const { user_id } of removed)
    await notifyMembers(teams, 'collaborator.removed', id, user_id, { name: found.name }, ctx)
  const after = await membersText(entity, id, ctx)
  return {
    data: { id },
    recordId: id,
    detail: { userIds, before: { team: before }, after: { team: after } },
  }
}

/** Whoever has records from now on is none of those who share them. */
export const leaveTeams = (
  entity: Teams['entity'],
  ids: readonly string[],
  userId: string,
  { trx, caller }: Pick<CallContext, 'trx' | 'caller'>,
): Promise<unknown> =>
  sql`delete from collaborator where tenant_id = ${caller.tenantId} and entity = ${entity}
    and record_id = any(${[...ids]}::text[]) and user_id = ${userId}`.execute(trx)

/** Everybody who shares a record, as its history says it. */
async function membersText(entity: string, id: string, { trx, caller }: CallContext): Promise<string> {
  const { rows } = await sql<{ name: string; level: Level }>`select m.name, k.level from collaborator k
    join membership m on m.tenant_id = k.tenant_id and m.user_id = k.user_id
    where k.tenant_id = ${caller.tenantId} and k.entity = ${entity} and k.record_id = ${id}
    order by k.created_at, k.user_id`.execute(trx)
  return rows.map(({ name, level }) => text(`team.member.${level}`, { name })).join('、')
}

async function notifyMembers(
  { announcementFor }: Teams,
  event: 'collaborator.added' | 'collaborator.removed',
  id: string,
  to: string,
  params: Readonly<Record<string, string>>,
  ctx: CallContext,
): Promise<void> {
  const { what, ...about } = announcementFor(id)
  await announce({ event, to, ...about, params: { ...params, ...(what === undefined ? {} : { what }) } }, ctx)
}

function readMembers(given: Json | undefined, { zone, now }: CallContext): readonly TeamMember[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_TEAM) return badTeam()
  return given.map((it) => {
    if (!isObject(it) || typeof it.userId !== 'string' || (it.level !== 'read' && it.level !== 'write'))
      return badTeam()
    const hasEnd = typeof it.expireAt === 'string' && it.expireAt !== ''
    const expireAt = hasEnd ? parseDateTime(String(it.expireAt), zone) : null
    if (hasEnd && (expireAt === null || expireAt <= now)) return badTeam()
    return { userId: it.userId, level: it.level, expireAt }
  })
}

function badTeam(): never {
  refuse(400, 'VALIDATION', text('team.members'), {
    detail: 'members: [{userId, level: read|write, expireAt?}]',
  })
}
