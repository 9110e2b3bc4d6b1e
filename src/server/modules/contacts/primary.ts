import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'

/** Makes a contact the only primary one of its customer (DOMAIN 1.3). `null`: the customer has no primary contact. */
export async function makePrimary(
  customerId: string,
  contactId: string | null,
  { trx, caller }: CallContext,
): Promise<void> {
  await sql`update contact set is_primary = false where tenant_id = ${caller.tenantId}
    and customer_id = ${customerId} and is_primary and id is distinct from ${contactId}`.execute(trx)
  if (contactId !== null)
    await sql`update contact set is_primary = true where tenant_id = ${caller.tenantId}
      and customer_id = ${customerId} and id = ${contactId}`.execute(trx)
  await sql`update customer set primary_contact_id = ${contactId} where tenant_id = ${caller.tenantId}
    and id = ${customerId}`.execute(trx)
}

/** Chooses the next primary after a contact was removed: the key decision maker, else the oldest active contact. */
export async function choosePrimary(customerId: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ id: string }>`select id from contact where tenant_id = ${caller.tenantId}
    and customer_id = ${customerId} and deleted_at is null and status = 'active'
    order by is_primary desc, is_key desc, created_at, id limit 1`.execute(trx)
  await makePrimary(customerId, rows[0]?.id ?? null, ctx)
}
