import { sql } from 'kysely'
import { type RoleWords, rightsOf } from '../auth/rights.ts'
import { ownModules } from '../model/own-rights.ts'
import type { CallContext } from './call-context.ts'
import { callerIn } from './caller-in-model.ts'

interface Row {
  readonly user_id: string
  readonly name: string
  readonly dept_id: string | null
  readonly dept_path: string | null
  readonly roles: readonly (RoleWords & { readonly code: string })[]
}

/**
 * The same call as if colleagues made it, with their current rights: for questions about what they see. People who may not work in the tenant are left
 * out. Nothing may be written in their name.
 */
export async function asColleagues(
  ids: readonly string[],
  ctx: CallContext,
): Promise<readonly CallContext[]> {
  if (ids.length === 0) return []
  const { trx, caller, model } = ctx
  const { rows } = await sql<Row>`select m.user_id, m.name, m.dept_id, d.path as dept_path,
      coalesce((select jsonb_agg(jsonb_build_object('code', r.code, 'scopes', r.scopes, 'permissions', r.permissions,
          'field_rights', r.field_rights, 'custom_depts', r.custom_depts) order by r.sort)
        from role_assignment a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
        where a.tenant_id = m.tenant_id and a.user_id = m.user_id and r.deleted_at is null), '[]') as roles
    from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and m.user_id = any(${[...ids]}::text[]) and m.status = 'enabled'
      and m.deleted_at is null`.execute(trx)
  const modules = ownModules(model).map(({ name }) => name)
  const { tenantId, tenant } = caller
  return rows.map(({ user_id, name, dept_id, dept_path, roles }) => {
    const colleague = {
      tenantId,
      tenant,
      userId: user_id,
      sessionId: '',
      account: '',
      mustChangePassword: false,
      name,
      deptId: dept_id,
      deptPath: dept_path,
      roles: roles.map(({ code }) => code),
      ...rightsOf(roles, modules),
    }
    return { ...ctx, caller: callerIn(colleague, model) }
  })
}
