import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Somebody to whom records can be assigned. */
export interface Member {
  readonly user_id: string
  readonly name: string
  readonly dept_id: string | null
}

/** An enabled member of the caller's tenant; 404 for anybody else. */
export async function findMember(userId: unknown, { trx, caller }: CallContext): Promise<Member> {
  const row = await trx
    .selectFrom('membership')
    .select(['user_id', 'name', 'dept_id'])
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', typeof userId === 'string' ? userId : '')
    .where('status', '=', 'enabled')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? refuse(404, 'NOT_FOUND', text('record.no-member'))
}

/** An enabled member with the permission to work with what is assigned to them; 409 for somebody without it. */
export async function findReceiver(userId: unknown, right: string, ctx: CallContext): Promise<Member> {
  const member = await findMember(userId, ctx)
  const { rows } = await sql`select 1 from membership m where m.tenant_id = ${ctx.caller.tenantId}
    and m.user_id = ${member.user_id} and ${holdsRight('m', right)}`.execute(ctx.trx)
  if (rows.length === 0)
    refuse(409, 'STATE_CONFLICT', text('record.no-right', { name: member.name }), { detail: right })
  return member
}

/**
 * True for members whose roles have a permission.
 *
 * @param row  alias of `membership`
 * @param right  its name, or the expression that names it in the query
 */
export function holdsRight(row: string, right: string | RawBuilder<string>): RawBuilder<boolean> {
  const named =
    typeof right === 'string' ? sql`${JSON.stringify([right])}::jsonb` : sql`to_jsonb(array[${right}])`
  // Unique aliases, because the expression for the permission refers to aliases of the query around it.
  return sql<boolean>`exists (select 1 from role_assignment held
    join role holding on holding.tenant_id = held.tenant_id and holding.id = held.role_id
    where held.tenant_id = ${sql.ref(`${row}.tenant_id`)} and held.user_id = ${sql.ref(`${row}.user_id`)}
      and holding.deleted_at is null and (holding.permissions @> '["*"]'::jsonb or holding.permissions @> ${named}))`
}

/** Enabled members whose roles have a permission, in a stable order. */
export async function holdersOf(right: string, { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select m.user_id from membership m
    where m.tenant_id = ${caller.tenantId} and m.status = 'enabled' and m.deleted_at is null
      and ${holdsRight('m', right)} order by m.user_id`.execute(trx)
  return rows.map((row) => row.user_id)
}

/** A person's superior: the one assigned to them, else the leader of their department; nobody is their own superior. */
export async function superiorOf(userId: string, { trx, caller }: CallContext): Promise<string | null> {
  const { rows } = await sql<{
    superior: string | null
  }>`select coalesce(m.supervisor_id, d.leader_id) as superior
    from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and m.user_id = ${userId}`.execute(trx)
  const superior = rows[0]?.superior ?? null
  return superior === userId ? null : superior
}
