import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../asking/asking.ts'
import type { PoolEntity } from '../asking/entities.ts'

/** Names of the people, the department and the pool a record refers to; null where there is nothing. */
export async function recordLabels(
  entity: PoolEntity,
  id: string,
  { trx, caller }: Pick<Asking, 'trx' | 'caller'>,
): Promise<JsonObject> {
  const person = (column: string) =>
    sql`(select m.name from membership m where m.tenant_id = r.tenant_id and m.user_id = ${sql.ref(`r.${column}`)})`
  const { rows } = await sql<Record<string, string | null>>`
    select ${person('owner_id')} as owner_name, ${person('prev_owner_id')} as prev_owner_name,
      ${person('created_by')} as created_by_name, ${person('updated_by')} as updated_by_name,
      ${person('last_follow_by')} as last_follow_by_name,
      (select d.name from department d where d.tenant_id = r.tenant_id and d.id = r.owner_dept_id) as owner_dept_name,
      (select p.name from pool p where p.tenant_id = r.tenant_id and p.id = r.pool_id) as pool_name
    from ${sql.table(entity)} r where r.tenant_id = ${caller.tenantId} and r.id = ${id}`.execute(trx)
  return rows[0] ?? {}
}
