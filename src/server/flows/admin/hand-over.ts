import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { askOthersThanOwner } from '../../kernel/approvals/new-owner.ts'
import { type OwnRights, ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { POOL_ENTITIES, type PoolEntity } from '../../kernel/context/entities.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { isPooledRow } from '../../kernel/pools/pooled.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { findMember, type Member } from '../../kernel/records/member.ts'
import { recordMoves } from '../../kernel/records/owner-record.ts'
import { leaveTeams } from '../../kernel/records/team.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { giveJobTodos, giveOwnTodos } from '../../modules/todos/give-todos.ts'
import { handOverApprovals } from '../approvals/keep-going.ts'
import { givenId } from './input.ts'
import type { AdminResult } from './kind.ts'
import { refuseOutranking, refuseTaking } from './outranks.ts'
import { holdingsOf, readUser } from './users.ts'

/** Maximum records per statement; a person's thousands are moved in several. */
const BATCH = 1000

/**
 * 离职交接: transfers everything that a person is responsible for — records, including those of own modules, to-dos, running approvals — to a colleague,
 * in one transaction
 * (DOMAIN 1.13). Stages, statuses and histories do not change.
 *
 * @param body  `id` of the leaving person, `toUserId` of the successor
 */
export async function handOverAll(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const from = await readUser(givenId(body), ctx)
  await refuseOutranking(from.id, ctx)
  const to = await findMember(body.toUserId, ctx)
  if (to.user_id === from.id) refuse(400, 'VALIDATION', text('admin.user.same'), { detail: 'toUserId' })
  await refuseTaking(from.id, to.user_id, ctx)
  // Prevents the person from signing in and taking on something new meanwhile.
  await sql`select 1 from membership where tenant_id = ${caller.tenantId} and user_id = ${from.id} for update`.execute(
    trx,
  )
  const before = await holdingsOf(from.id, ctx)
  for (const entity of POOL_ENTITIES) await moveOwned(entity, from.id, to, ctx)
  const pooled = ownModules(ctx.model).flatMap(({ name, behaviours }) =>
    behaviours.includes('pool') ? [ownRights(name)] : [],
  )
  const moved: (readonly [OwnRights, readonly string[]])[] = []
  for (const rights of pooled) moved.push([rights, await noteOwn(rights, from.id, to.user_id, ctx)])
  for (const table of ['contract', 'payment', 'record'] as const)
    await sql`update ${sql.table(table)} set owner_id = ${to.user_id}, owner_dept_id = ${to.dept_id},
        updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
      where tenant_id = ${caller.tenantId} and owner_id = ${from.id} and deleted_at is null`.execute(trx)
  for (const [rights, ids] of moved)
    for (let at = 0; at < ids.length; at += BATCH)
      await refreshExpiry(rights, ids.slice(at, at + BATCH), { trx, tenantId: caller.tenantId })
  await sql`delete from collaborator c using record r where c.tenant_id = ${caller.tenantId} and c.user_id = ${to.user_id}
    and r.tenant_id = c.tenant_id and c.entity = 'm.' || r.module and r.id = c.record_id
    and r.owner_id = c.user_id`.execute(trx)
  const todos = { from: from.id, to: to.user_id, of: sql<boolean>`true` }
  await giveJobTodos(todos, ctx)
  await giveOwnTodos(todos, ctx)
  const alone = await askOthersThanOwner(to.user_id, ctx)
  const stuck = await handOverApprovals(from.id, to.user_id, ctx)
  const count = Object.values(before).reduce((sum, n) => sum + n, 0) - stuck
  if (count > 0)
    await announce(trx, {
      event: 'record.assigned',
      tenantId: caller.tenantId,
      actorId: caller.userId,
      now,
      receivers: [to.user_id],
      entity: 'customer',
      ids: [],
      params: { by: caller.name, count, names: text('admin.user.of', { name: from.name }) },
    })
  await notifyPeople(trx, caller.tenantId, [from.id, to.user_id], { kind: 'todo' })
  return {
    data: { id: from.id, toUserId: to.user_id, moved: { ...before }, stuckApprovals: stuck + alone.length },
    recordId: from.id,
    detail: { toUserId: to.user_id, ...before },
    people: [from.id, to.user_id],
  }
}

/** Notes for the histories of records of a module with pools that they are about to be somebody else's, who has them from now on. @returns their ids */
async function noteOwn(
  rights: OwnRights,
  fromUser: string,
  toUser: string,
  { trx, caller, now }: CallContext,
): Promise<readonly string[]> {
  const { tenantId, userId } = caller
  const { rows } = await sql<{
    id: string
  }>`update record r set owner_since = ${now}, obtain_way = 'transferred',
      prev_owner_id = ${fromUser}
    where r.tenant_id = ${tenantId} and ${isPooledRow(rights)} and r.owner_id = ${fromUser} and r.deleted_at is null
    returning r.id`.execute(trx)
  const moves = rows.map(({ id }) => ({ id, kind: 'resign' as const, fromUser, toUser }))
  for (let at = 0; at < moves.length; at += BATCH)
    await recordMoves(rights, moves.slice(at, at + BATCH), { trx, now, tenantId, operatorId: userId })
  return rows.map(({ id }) => id)
}

async function moveOwned(entity: PoolEntity, fromId: string, to: Member, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const tenantId = caller.tenantId
  for (;;) {
    const { rows } = await sql<{ id: string }>`update ${sql.table(entity)} set owner_id = ${to.user_id},
        owner_dept_id = ${to.dept_id}, owner_since = ${now}, obtain_way = 'transferred', prev_owner_id = ${fromId},
        updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
      where tenant_id = ${tenantId} and id in (select id from ${sql.table(entity)} where tenant_id = ${tenantId}
        and owner_id = ${fromId} and deleted_at is null order by id limit ${BATCH}) returning id`.execute(trx)
    const ids = rows.map((row) => row.id)
    const moves = ids.map((id) => ({ id, kind: 'resign' as const, fromUser: fromId, toUser: to.user_id }))
    await recordMoves(entity, moves, { trx, now, tenantId, operatorId: caller.userId })
    await leaveTeams(entity, ids, to.user_id, ctx)
    if (ids.length > 0) await refreshExpiry(entity, ids, { trx, tenantId })
    if (ids.length < BATCH) return
  }
}
