import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'

/** The customer into which a customer was merged (DOMAIN 1.1.6); null if it was not. Whether the caller may see it is for the caller of this to ask. */
export async function mergedInto(id: string, { trx, caller }: CallContext): Promise<string | null> {
  const { rows } = await sql<{ new_id: string }>`select new_id from record_redirect
    where tenant_id = ${caller.tenantId} and entity = 'customer' and old_id = ${id}`.execute(trx)
  return rows[0]?.new_id ?? null
}
