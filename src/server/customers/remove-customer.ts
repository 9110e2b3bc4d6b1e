import { sql } from 'kysely'
import { refuse } from '../envelope.ts'
import type { Asking } from '../records/asking.ts'
import { text } from '../text.ts'
import { isInScope } from '../visibility/predicate.ts'
import { findCustomer } from './find-customer.ts'

/** Deleted records can be brought back this long (CRM 0). */
const RESTORE_DAYS = 30

/**
 * Puts a customer into the recycle bin, its contacts and follow-ups with it (CRM 1.1.2).
 * @throws Refusal 404, 405, 422 REFERENCED while opportunities or contracts exist
 */
export async function removeCustomer(id: string, asking: Asking): Promise<void> {
  const { trx, caller, now } = asking
  const found = await findCustomer(id, asking, true)
  if (!found.in_scope) refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'customer:del' })
  for (const child of ['bussiness', 'contract'] as const) {
    const { rows } = await sql`select 1 from ${sql.table(child)} where tenant_id = ${caller.tenantId}
      and customer_id = ${id} and deleted_at is null limit 1`.execute(trx)
    const what = text(`customer.referenced.${child}`)
    if (rows.length > 0) refuse(422, 'REFERENCED', text('customer.referenced', { what }))
  }
  await markDeleted(id, now, null, asking)
}

/**
 * Brings a customer back with what was deleted together with it.
 * @throws Refusal 404 when it is not in the caller's recycle bin, 409 DUPLICATE when its name is taken by now
 */
export async function restoreCustomer(id: string, asking: Asking): Promise<void> {
  const { trx, caller, now } = asking
  const oldest = new Date(now.getTime() - RESTORE_DAYS * 86_400_000)
  const { rows } = await sql<{ deleted_at: Date; taken: boolean }>`
    select c.deleted_at, not c.dup_allowed and exists (select 1 from customer x where x.tenant_id = c.tenant_id
        and x.deleted_at is null and (x.name_norm = c.name_norm or x.credit_code = c.credit_code)) as taken
    from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${id} and c.deleted_at >= ${oldest}
      and ${isInScope(caller, 'customer', 'c')} for update of c`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('customer.not-deleted'))
  if (found.taken) refuse(409, 'DUPLICATE', text('customer.duplicate'))
  await markDeleted(id, null, found.deleted_at, asking)
}

/** Sets the mark on the customer and on what shares its fate: `from` is the mark these rows carry now. */
async function markDeleted(
  id: string,
  to: Date | null,
  from: Date | null,
  { trx, caller, now }: Asking,
): Promise<void> {
  for (const table of ['customer', 'contact', 'follow'] as const) {
    const key = table === 'customer' ? sql`id` : sql`customer_id`
    await sql`update ${sql.table(table)} set deleted_at = ${to}, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and ${key} = ${id} and deleted_at is not distinct from ${from}`.execute(
      trx,
    )
  }
}
