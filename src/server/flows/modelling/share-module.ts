import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { requires } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { RoleWords } from '../../kernel/auth/rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { grantsMore } from '../admin/outranks.ts'

/** The initial permissions of colleagues on a new module; others are granted on the screen of their role. */
const SHARED = ['view', 'add', 'edit'] as const
/** And where records lie in pools. */
const POOLED = ['pool', 'claim', 'release'] as const
const SCOPES = ['self', 'dept_sub', 'all']

/**
 * Grants roles their first permissions on a module that the caller has just created.
 *
 * @param scope  whose records they see; default: the scope each role has in modules without their own
 * @returns the people whose rights have changed
 * @throws Refusal 405 for callers who may not change roles, and for a role above the caller
 */
export async function shareModule(
  { name, behaviours }: Pick<ModuleDescription, 'name' | 'behaviours'>,
  roles: Json | undefined,
  scope: Json | undefined,
  ctx: CallContext,
): Promise<readonly string[]> {
  const ids = Array.isArray(roles) ? roles.filter((role): role is string => typeof role === 'string') : []
  if (ids.length === 0) return []
  const { trx, caller } = ctx
  requires(caller, 'system:role')
  const { rows } = await sql<
    RoleWords & { id: string }
  >`select id, permissions, scopes, custom_depts, field_rights
    from role where tenant_id = ${caller.tenantId} and id = any(${ids}) and deleted_at is null`.execute(trx)
  const others = rows.filter(({ permissions }) => !isAll(permissions))
  if (await grantsMore(others, ctx))
    refuse(405, 'NO_PERMISSION', text('admin.role.above'), { detail: 'role' })
  const actions = behaviours.includes('pool') ? [...SHARED, ...POOLED] : SHARED
  const rights = actions.map((action) => `${ownRights(name)}:${action}`)
  const reach = SCOPES.includes(String(scope)) ? { [ownRights(name)]: String(scope) } : {}
  await sql`update role set
      permissions = (select jsonb_agg(distinct p) from jsonb_array_elements(permissions || ${JSON.stringify(rights)}::jsonb) p),
      scopes = scopes || ${JSON.stringify(reach)}::jsonb, updated_at = now(), version = version + 1
    where tenant_id = ${caller.tenantId} and id = any(${others.map(({ id }) => id)})
      and not permissions @> '["system:form"]'::jsonb`.execute(trx)
  const { rows: people } = await sql<{ user_id: string }>`select distinct user_id from role_assignment
    where tenant_id = ${caller.tenantId} and role_id = any(${ids})`.execute(trx)
  return people.map(({ user_id }) => user_id)
}

const isAll = (permissions: unknown): boolean => Array.isArray(permissions) && permissions.includes('*')
