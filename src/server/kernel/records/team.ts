import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../asking/asking.ts'
import type { PoolEntity } from '../asking/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { parseDateTime } from '../time/zone.ts'
import { announce } from './announce.ts'
import { findInScope, findRecord } from './find-record.ts'
import { findReceiver } from './member.ts'
import { wireRow } from './wire.ts'
import type { Written } from './write-once.ts'

/** Maximum collaborators of a record (DOMAIN 1.0). */
const TEAM_MOST = 20

/** The owner and the collaborators of a record that the caller sees. */
export async function readTeam(entity: PoolEntity, id: string, asking: Asking) {
  const { trx, caller, zone, now } = asking
  const found = await findRecord(entity, id, asking)
  const { rows } = await sql<{ expire_at: Date | null }>`
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

interface TeamMember {
  readonly userId: string
  readonly level: 'read' | 'write'
  readonly expireAt: Date | null
}

/**
 * Adds collaborators or changes their level and end date (DOMAIN 1.0): allowed for the owner and their superiors.
 *
 * @param body  `id`, `members: [{ userId, level, expireAt }]`
 */
export async function saveTeam(entity: PoolEntity, body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { trx, caller, now } = asking
  const id = String(body.id ?? '')
  const found = await findInScope(entity, id, asking, 'edit')
  const members = readMembers(body.members, asking)
  for (const { userId } of members) {
    await findReceiver(userId, `${entity}:view`, asking)
    if (userId === found.owner_id) refuse(400, 'VALIDATION', text('team.owner'), { detail: 'members' })
  }
  for (const { userId, level, expireAt } of members)
    await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, expire_at, created_by, created_at)
      values (${caller.tenantId}, ${entity}, ${id}, ${userId}, ${level}, ${expireAt}, ${caller.userId}, ${now})
      on conflict (tenant_id, entity, record_id, user_id)
        do update set level = excluded.level, expire_at = excluded.expire_at`.execute(trx)
  const { rows } = await sql<{ n: number }>`select count(*) as n from collaborator
    where tenant_id = ${caller.tenantId} and entity = ${entity} and record_id = ${id}`.execute(trx)
  if ((rows[0]?.n ?? 0) > TEAM_MOST)
    refuse(400, 'VALIDATION', text('team.most', { most: TEAM_MOST }), { detail: 'members' })
  for (const { userId } of members)
    await announce(
      {
        event: 'collaborator.added',
        to: userId,
        entity,
        ids: [id],
        params: { name: found.name, by: caller.name },
      },
      asking,
    )
  return {
    data: (await readTeam(entity, id, asking)) as unknown as Json,
    recordId: id,
    detail: { members: members.map(({ userId, level }) => ({ userId, level })) },
  }
}

/** Removes collaborators from a record; anybody may remove themselves. @param body `id`, `userIds[]` */
export async function removeFromTeam(
  entity: PoolEntity,
  body: JsonObject,
  asking: Asking,
): Promise<Written<Json>> {
  const { trx, caller } = asking
  const id = String(body.id ?? '')
  const userIds = Array.isArray(body.userIds) ? body.userIds.map(String) : []
  const isOnlyMe = userIds.length === 1 && userIds[0] === caller.userId
  if (isOnlyMe) await findRecord(entity, id, asking, true)
  else await findInScope(entity, id, asking, 'edit')
  await sql`delete from collaborator where tenant_id = ${caller.tenantId} and entity = ${entity} and record_id = ${id}
    and user_id = any(${userIds}::text[])`.execute(trx)
  for (const userId of userIds)
    await announce({ event: 'collaborator.removed', to: userId, entity, ids: [id] }, asking)
  return { data: { id }, recordId: id, detail: { userIds } }
}

function readMembers(given: Json | undefined, { zone, now }: Asking): readonly TeamMember[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > TEAM_MOST) return badTeam()
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
