import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import { isVisible } from '../visibility/predicate.ts'

/** The customer into which a customer was merged (DOMAIN 1.1.6); null if it was not. Whether the caller may see it is for the caller of this to ask. */
export async function mergedInto(id: string, { trx, caller }: CallContext): Promise<string | null> {
  const { rows } = await sql<{ new_id: string }>`select new_id from record_redirect
    where tenant_id = ${caller.tenantId} and entity = 'customer' and old_id = ${id}`.execute(trx)
  return rows[0]?.new_id ?? null
}

/**
 * A new record as posted, at the master instead of a customer that was merged, if the caller sees the master: it may have been written before the merge,
 * without a network. Whether the caller may add to the customer is checked as for any other.
 *
 * @param name  the key of the customer's id
 */
export async function atMaster(
  body: JsonObject,
  ctx: CallContext,
  name = 'customer_id',
): Promise<JsonObject> {
  const { trx, caller } = ctx
  const { [name]: id } = body
  if (typeof id !== 'string' || id === '') return body
  const { rows } = await sql<{ id: string }>`select r.id from record_redirect d
    join customer r on r.tenant_id = d.tenant_id and r.id = d.new_id
    where d.tenant_id = ${caller.tenantId} and d.entity = 'customer' and d.old_id = ${id}
      and ${isVisible(caller, 'customer', 'r')}`.execute(trx)
  const [master] = rows
  return master === undefined ? body : { ...body, [name]: master.id }
}
