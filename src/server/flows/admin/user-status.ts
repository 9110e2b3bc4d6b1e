import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { releaseWaiting } from '../approvals/keep-going.ts'
import { givenId, invalid } from './input.ts'
import type { AdminResult } from './kind.ts'
import { refuseOutranking } from './outranks.ts'
import { keepAnAdministrator } from './save-user.ts'
import { holdingsOf, readUser } from './users.ts'

/**
 * 停用 and 启用: the sessions of a disabled colleague end immediately, they keep their records (DOMAIN 1.13), and approvals that waited for them go to
 * others. @param body `id`, `enabled`
 */
export async function setUserStatus(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const user = await readUser(givenId(body), ctx)
  if (typeof body.enabled !== 'boolean') invalid('enabled')
  if (user.status === 'left') refuse(409, 'STATE_CONFLICT', text('admin.user.left'))
  if (user.id === ctx.caller.userId) refuse(409, 'STATE_CONFLICT', text('admin.user.self'))
  await refuseOutranking(user.id, ctx)
  const written = await writeStatus(user.id, body.enabled ? 'enabled' : 'disabled', ctx)
  if (body.enabled) return written
  const approvals = await releaseWaiting(user.id, ctx)
  return { ...written, data: { id: user.id, status: 'disabled', approvals } }
}

/** 离职: possible only after everything they own was handed over (DOMAIN 1.13, 1.16). @param body `id` */
export async function removeUser(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const user = await readUser(givenId(body), ctx)
  if (user.id === ctx.caller.userId) refuse(409, 'STATE_CONFLICT', text('admin.user.self'))
  await refuseOutranking(user.id, ctx)
  const holdings = await holdingsOf(user.id, ctx)
  const count = Object.values(holdings).reduce((sum, n) => sum + n, 0)
  if (count > 0) refuse(422, 'REFERENCED', text('admin.user.holds', { count }), { data: { ...holdings } })
  return writeStatus(user.id, 'left', ctx)
}

async function writeStatus(
  id: string,
  status: 'enabled' | 'disabled' | 'left',
  ctx: CallContext,
): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  await sql`update membership set status = ${status}, updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
    where tenant_id = ${caller.tenantId} and user_id = ${id}`.execute(trx)
  if (status !== 'enabled') await sql`select crm_end_sessions(${id})`.execute(trx)
  if (status === 'left') {
    await sql`update membership set supervisor_id = (select l.supervisor_id from membership l
        where l.tenant_id = ${caller.tenantId} and l.user_id = ${id})
      where tenant_id = ${caller.tenantId} and supervisor_id = ${id}`.execute(trx)
    await sql`update department set leader_id = null where tenant_id = ${caller.tenantId} and leader_id = ${id}`.execute(
      trx,
    )
    await sql`update pool set member_user_ids = array_remove(member_user_ids, ${id}),
        admin_user_ids = array_remove(admin_user_ids, ${id})
      where tenant_id = ${caller.tenantId} and ${id} = any(member_user_ids || admin_user_ids)`.execute(trx)
    await sql`delete from collaborator where tenant_id = ${caller.tenantId} and user_id = ${id}`.execute(trx)
  }
  await keepAnAdministrator(ctx)
  return { data: { id, status }, recordId: id, detail: { status }, people: [id] }
}
