import { sql } from 'kysely'
import type { Caller } from '../../kernel/auth/caller.ts'
import { allOwn, ownRights } from '../../kernel/auth/permissions.ts'
import type { Trx } from '../../kernel/db/database.ts'

/** Grants all permissions on a new module, with scope `all`, to the author's roles that may change forms; other people's roles do not change. */
export async function grantOwnModule(
  name: string,
  { trx, caller }: { readonly trx: Trx; readonly caller: Caller },
): Promise<void> {
  const rights = allOwn(name)
  await sql`update role r set
      permissions = (select jsonb_agg(distinct p) from jsonb_array_elements(r.permissions || ${JSON.stringify(rights)}::jsonb) p),
      scopes = r.scopes || ${JSON.stringify({ [ownRights(name)]: 'all' })}::jsonb,
      updated_at = now(), version = r.version + 1
    from role_assignment a
    where a.tenant_id = ${caller.tenantId} and a.user_id = ${caller.userId} and r.tenant_id = a.tenant_id and r.id = a.role_id
      and r.deleted_at is null and r.permissions @> '["system:form"]'::jsonb
      and not r.permissions @> ${JSON.stringify(rights)}::jsonb`.execute(trx)
}
