import { sql } from 'kysely'
import type { ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { homePool } from '../../kernel/pools/pool.ts'
import { isOfPools } from '../../kernel/pools/pooled.ts'
import { text } from '../../kernel/text/text.ts'

/**
 * A module whose records lie in pools has one from the first save that says so: everybody who may look into it is a member. What nobody has
 * lies in it then.
 */
export async function openPool(
  { name, label, behaviours }: ModuleDescription,
  { trx, caller }: { readonly trx: Trx; readonly caller: Caller },
): Promise<void> {
  if (!behaviours.includes('pool')) return
  const { tenantId, userId } = caller
  const entity = ownRights(name)
  if ((await homePool(entity, { trx, tenantId })) !== null) return
  const id = newId()
  await sql`insert into pool (tenant_id, id, entity, name, is_default, member_all, created_by, updated_by)
    values (${tenantId}, ${id}, ${entity}, ${text('model.pool', { label: labelText(label) })}, true, true, ${userId}, ${userId})`.execute(
    trx,
  )
  await sql`update record r set pool_id = ${id}, pool_entered_at = now(), version = version + 1
    where tenant_id = ${tenantId} and ${isOfPools(entity)} and owner_id is null and pool_id is null`.execute(
    trx,
  )
}
