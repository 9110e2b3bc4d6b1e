import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { type OwnRights, ownRights } from '../../kernel/auth/permissions.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { ownReturn } from '../../kernel/pools/own-return.ts'
import { homePool } from '../../kernel/pools/pool.ts'
import { isPooledRow } from '../../kernel/pools/pooled.ts'
import { poolDefaults } from '../../kernel/pools/settings.ts'
import { text } from '../../kernel/text/text.ts'

/**
 * A module whose records lie in pools has one from the first save that says so: everybody who may look into it is a member. What nobody has
 * lies in it then. What records are judged by may change with any save: when they go back is worked out again, with time to be told of it.
 */
export async function openPool(
  module: ModuleDescription,
  before: ModuleDescription | undefined,
  { trx, caller }: { readonly trx: Trx; readonly caller: Caller },
): Promise<void> {
  const { name, label, behaviours } = module
  if (!behaviours.includes('pool')) return
  const { tenantId, userId } = caller
  const entity = ownRights(name)
  if ((await homePool(entity, { trx, tenantId })) !== null) {
    const wasPooled = before?.behaviours.includes('pool') === true
    if (!wasPooled || !isDeepStrictEqual(judgedBy(before), judgedBy(module)))
      await judgeAgain(entity, { trx, tenantId })
    return
  }
  // Its values are among those that somebody holds until the module is saved: nobody writes them meanwhile.
  await sql`select pg_advisory_xact_lock(crm_own_lock(${tenantId}, ${name}))`.execute(trx)
  const id = newId()
  await sql`insert into pool (tenant_id, id, entity, name, is_default, member_all, created_by, updated_by)
    values (${tenantId}, ${id}, ${entity}, ${text('model.pool', { label: labelText(label) })}, true, true, ${userId}, ${userId})`.execute(
    trx,
  )
  await sql`update record r set pool_id = ${id}, pool_entered_at = now(), version = version + 1
    where tenant_id = ${tenantId} and ${isPooledRow(entity)} and owner_id is null and pool_id is null`.execute(
    trx,
  )
}

/** What its records are judged by, whatever their statuses are called. */
function judgedBy(module: ModuleDescription) {
  const { others: _, ...by } = ownReturn(module)
  return by
}

/** As after a change of the rules of its pools: the job works through its records, and none goes back before it was told of. */
async function judgeAgain(
  entity: OwnRights,
  { trx, tenantId }: { readonly trx: Trx; readonly tenantId: string },
): Promise<void> {
  await sql`update pool set rules_changed_at = now(), grace_until = greatest(grace_until,
      now() + make_interval(days => coalesce((settings ->> 'remind_days')::int, ${poolDefaults(entity).remind_days}))), version = version + 1
    where tenant_id = ${tenantId} and entity = ${entity} and deleted_at is null`.execute(trx)
}
