import { sql } from 'kysely'
import { withFollowing } from '../../kernel/auth/field-rights.ts'
import { covers, holdsAll, type RoleWords, rightsOf, scopeIn } from '../../kernel/auth/rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Refuses if a colleague has permissions or visibility that the caller lacks: otherwise their account would be a way to more rights. */
export async function refuseOutranking(userId: string, ctx: CallContext): Promise<void> {
  if (await outranks(userId, ctx)) refuse(405, 'NO_PERMISSION', text('admin.user.above'), { detail: 'user' })
}

/** True for a colleague who has permissions or visibility that the caller lacks. */
export async function outranks(userId: string, ctx: CallContext): Promise<boolean> {
  const { trx, caller } = ctx
  const { rows } =
    await sql<RoleWords>`select r.permissions, r.scopes, r.custom_depts, r.field_rights from role_assignment a
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id and r.deleted_at is null
    where a.tenant_id = ${caller.tenantId} and a.user_id = ${userId}`.execute(trx)
  return grantsMore(rows, ctx)
}

/** True if these roles together give a permission, a data scope or a field right that the caller lacks. */
export async function grantsMore(roles: readonly RoleWords[], ctx: CallContext): Promise<boolean> {
  return (await grantsMoreTest(ctx))(roles)
}

/** The same for several. */
export async function grantsMoreTest(ctx: CallContext): Promise<(roles: readonly RoleWords[]) => boolean> {
  const isWithin = await departmentsWithin(ctx)
  return (roles) => {
    const rights = rightsOf(roles)
    const fieldRights = withFollowing(rights.fieldRights, ctx.model.modules)
    return !covers(ctx.caller, { ...rights, fieldRights }, isWithin)
  }
}

/** The departments whose records the caller sees, by module. */
async function departmentsWithin({ trx, caller }: CallContext) {
  if (holdsAll(caller)) return () => true
  const { rows } = await sql<{ id: string; path: string }>`select id, path from department
    where tenant_id = ${caller.tenantId} and deleted_at is null`.execute(trx)
  const paths = new Map(rows.map(({ id, path }) => [id, path]))
  return (dept: string, module: string): boolean => {
    const scope = scopeIn(caller, module)
    if (scope === 'all') return true
    if (scope === 'dept_sub')
      return caller.deptPath !== null && (paths.get(dept)?.startsWith(caller.deptPath) ?? false)
    if (scope === 'dept_custom')
      return (caller.customDepts[module] ?? caller.customDepts.default ?? []).includes(dept)
    return scope === 'dept' && dept === caller.deptId
  }
}
