import { sql } from 'kysely'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import { POOL_ENTITIES } from '../context/entities.ts'
import { isVisible } from '../visibility/predicate.ts'

/**
 * Adds names to the failed records in the answer to a batch call, so that the user knows which ones they are: only if they see them, and only in
 * answers with such a list.
 */
export async function nameFailed(entity: string, data: Json, { trx, caller }: CallContext): Promise<Json> {
  const owned = POOL_ENTITIES.find((it) => it === entity)
  const isKnown = owned !== undefined || entity === 'contact'
  if (!isKnown || !isObject(data) || !Array.isArray(data.failed)) return data
  const failed = (data.failed as readonly Json[]).filter(isObject)
  const nameless = failed.filter((it) => it.name === '').map((it) => String(it.id))
  if (nameless.length === 0) return data
  const seen =
    owned === undefined
      ? sql`contact r join customer c on c.tenant_id = r.tenant_id and c.id = r.customer_id
          where r.tenant_id = ${caller.tenantId} and r.deleted_at is null and ${isVisible(caller, 'customer', 'c')}`
      : sql`${sql.table(owned)} r where ${isVisible(caller, owned, 'r')}`
  const { rows } = await sql<{ id: string; name: string }>`select r.id, r.name from ${seen}
    and r.id = any(${nameless}::text[])`.execute(trx)
  const names = new Map(rows.map((row) => [row.id, row.name]))
  return {
    ...data,
    failed: failed.map((it) => ({ ...it, name: it.name || (names.get(String(it.id)) ?? '') })),
  }
}
