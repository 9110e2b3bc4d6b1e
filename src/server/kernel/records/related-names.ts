import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity } from '../context/entities.ts'

interface Around {
  /** Names of the people, the department and the pool the record refers to; null if there are none. */
  readonly labels: JsonObject
  /** The caller has starred it. */
  readonly starred: boolean
  /** Additional columns. */
  readonly more: JsonObject
}

/**
 * Related names for a record that the caller has opened and sees: read by one statement, which also records the visit for
 * 最近查看.
 *
 * @param more  further columns, of data related to the record, which is `r`
 */
export async function relatedNames(
  entity: PoolEntity,
  id: string,
  { trx, caller, now }: CallContext,
  more: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<Around> {
  const person = (column: string) =>
    sql`(select m.name from membership m where m.tenant_id = r.tenant_id and m.user_id = ${sql.ref(`r.${column}`)})`
  const labels: Readonly<Record<string, RawBuilder<unknown>>> = {
    owner_name: person('owner_id'),
    prev_owner_name: person('prev_owner_id'),
    created_by_name: person('created_by'),
    updated_by_name: person('updated_by'),
    last_follow_by_name: person('last_follow_by'),
    owner_dept_name: sql`(select d.name from department d where d.tenant_id = r.tenant_id and d.id = r.owner_dept_id)`,
    pool_name: sql`(select p.name from pool p where p.tenant_id = r.tenant_id and p.id = r.pool_id)`,
  }
  const columns = Object.entries({ ...labels, ...more }).map(([name, of]) => sql`${of} as ${sql.ref(name)}`)
  const { rows } = await sql<JsonObject & { starred: boolean }>`
    with opened as (insert into recent_view (tenant_id, user_id, entity, record_id, viewed_at)
      values (${caller.tenantId}, ${caller.userId}, ${entity}, ${id}, ${now})
      on conflict (tenant_id, user_id, entity, record_id) do update set viewed_at = excluded.viewed_at)
    select ${sql.join(columns)}, exists (select 1 from star s where s.tenant_id = r.tenant_id
      and s.user_id = ${caller.userId} and s.entity = ${entity} and s.record_id = r.id) as starred
    from ${sql.table(entity)} r where r.tenant_id = ${caller.tenantId} and r.id = ${id}`.execute(trx)
  const row = rows[0] ?? { starred: false }
  const named = (names: object): JsonObject =>
    Object.fromEntries(Object.keys(names).map((name) => [name, row[name] ?? null]))
  return { labels: named(labels), starred: row.starred, more: named(more) }
}
