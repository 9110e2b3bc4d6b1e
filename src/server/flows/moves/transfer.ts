import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { reasonOf } from '../../kernel/fields/check-record.ts'
import { checkHoldingCap, lockPeople } from '../../kernel/pools/person-cap.ts'
import { someNames } from '../../kernel/pools/pooled.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { announce } from '../../kernel/records/announce.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { findInScope } from '../../kernel/records/find-record.ts'
import { findReceiver, type Member } from '../../kernel/records/member.ts'
import { recordMoves } from '../../kernel/records/owner-record.ts'
import { leaveTeams } from '../../kernel/records/team.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { changeContractOwner } from '../../modules/contracts/change-owner.ts'
import { giveJobTodos, giveOwnTodos, todosAbout, todosOfContracts } from '../../modules/todos/give-todos.ts'

/** What moves along, and what the former owner keeps. */
interface Along {
  readonly bussiness: boolean
  readonly contract: boolean
  readonly todo: boolean
  readonly keepOld: 'none' | 'read' | 'write'
  readonly remark: string | null
}

/**
 * 转移 (DOMAIN 1.1.6): changes the owner; stages, statuses and history do not change. Contacts always follow their customer.
 *
 * @param body  `ids` ≤ 200, `toUserId`, `withBussiness`, `withContract`, `withTodo`, `keepOld` none/read/write, `remark`
 */
export async function transfer(
  entity: PoolEntity,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const ids = idsOf(body)
  const along = readAlong(body)
  const target = await findReceiver(body.toUserId, `${entity}:edit`, ctx)
  await lockPeople(trx, caller.tenantId, [target.user_id])
  const idsByOwner = new Map<string, string[]>()
  const data = await eachRecord(
    ids,
    async (id) => {
      const from = await transferOne(entity, id, target, along, ctx)
      idsByOwner.set(from, [...(idsByOwner.get(from) ?? []), id])
    },
    trx,
  )
  const names = await someNames(entity, data.ok, ctx)
  const params = { by: caller.name, count: data.ok.length, names }
  await announce({ event: 'record.assigned', to: target.user_id, entity, ids: data.ok, params }, ctx)
  for (const [owner, takenIds] of idsByOwner)
    await announce(
      {
        event: 'record.taken',
        to: owner,
        entity,
        ids: takenIds,
        params: { ...params, count: takenIds.length, names: await someNames(entity, takenIds, ctx) },
      },
      ctx,
    )
  const [first] = ids
  return {
    data,
    detail: { ok: [...data.ok], toUserId: target.user_id, keepOld: along.keepOld },
    ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}),
  }
}

function readAlong(body: JsonObject): Along {
  const keepOld = body.keepOld ?? 'none'
  if (keepOld !== 'none' && keepOld !== 'read' && keepOld !== 'write')
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'keepOld' })
  return {
    bussiness: body.withBussiness === true,
    contract: body.withContract === true,
    todo: body.withTodo === true,
    keepOld,
    remark: reasonOf(body, 'remark'),
  }
}

/** @returns the former owner */
async function transferOne(
  entity: PoolEntity,
  id: string,
  target: Member,
  along: Along,
  ctx: CallContext,
): Promise<string> {
  const { trx, caller } = ctx
  const found = await findInScope(entity, id, ctx, 'transfer')
  const from = found.owner_id
  if (from === null) refuse(409, 'STATE_CONFLICT', text('pool.in-pool'))
  if (from === target.user_id) refuse(409, 'STATE_CONFLICT', text('record.same-owner'))
  if (entity === 'lead' && found.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'))
  await checkHoldingCap(entity, target.user_id, 1, ctx)
  await changeOwner(entity, [id], from, target, along, ctx)
  if (entity !== 'customer') return from
  if (along.bussiness) {
    const { rows } = await sql<{ id: string }>`select id from bussiness where tenant_id = ${caller.tenantId}
      and customer_id = ${id} and owner_id = ${from} and deleted_at is null order by id for update`.execute(
      trx,
    )
    const children = rows.map((row) => row.id)
    await checkHoldingCap('bussiness', target.user_id, children.length, ctx)
    await changeOwner('bussiness', children, from, target, along, ctx)
  }
  if (along.contract) await giveContracts(id, from, target, along, ctx)
  return from
}

/** Contracts of the customer with the same owner; a revision moves with the contract it revises. */
async function giveContracts(
  customerId: string,
  from: string,
  to: Member,
  along: Along,
  ctx: CallContext,
): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ id: string }>`select id from contract where tenant_id = ${caller.tenantId}
    and customer_id = ${customerId} and owner_id = ${from} and deleted_at is null order by id for update`.execute(
    trx,
  )
  const ids = rows.map((row) => row.id)
  await changeContractOwner(ids, { from, to, keepOld: along.keepOld }, ctx)
  if (along.todo)
    await giveOwnTodos({ from, to: to.user_id, of: todosOfContracts(ids, caller.tenantId) }, ctx)
}

/** Only the owner changes, and values derived from it. */
async function changeOwner(
  entity: PoolEntity,
  ids: readonly string[],
  from: string,
  to: Member,
  along: Along,
  ctx: CallContext,
): Promise<void> {
  if (ids.length === 0) return
  const { trx, caller, now } = ctx
  await sql`update ${sql.table(entity)} set owner_id = ${to.user_id}, owner_dept_id = ${to.dept_id},
      owner_since = ${now}, obtain_way = 'transferred', prev_owner_id = ${from}, updated_by = ${caller.userId},
      updated_at = ${now}, version = version + 1
    where tenant_id = ${caller.tenantId} and id = any(${[...ids]}::text[]) and owner_id = ${from}`.execute(
    trx,
  )
  await leaveTeams(entity, ids, to.user_id, ctx)
  if (along.keepOld !== 'none')
    await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, created_by, created_at)
      select ${caller.tenantId}, ${entity}, kept, ${from}, ${along.keepOld}, ${caller.userId}, ${now}::timestamptz
      from unnest(${[...ids]}::text[]) as kept
      on conflict (tenant_id, entity, record_id, user_id)
        do update set level = excluded.level, expire_at = null`.execute(trx)
  const todos = { from, to: to.user_id, of: todosAbout(entity, ids) }
  await giveJobTodos(todos, ctx)
  if (along.todo) await giveOwnTodos(todos, ctx)
  await recordMoves(
    entity,
    ids.map((id) => ({ id, kind: 'transfer', fromUser: from, toUser: to.user_id, remark: along.remark })),
    { trx, now, tenantId: caller.tenantId, operatorId: caller.userId },
  )
  await refreshExpiry(entity, ids, { trx, tenantId: caller.tenantId })
}
