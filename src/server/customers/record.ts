import { sql } from 'kysely'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Asking } from '../records/asking.ts'
import { wireRow } from '../records/wire.ts'
import { isMasked, masked } from '../visibility/masking.ts'
import { leftDays } from './expiry.ts'
import type { FoundCustomer } from './find-customer.ts'

/** Columns that are the server's own business. */
const INTERNAL = new Set([
  'tenant_id',
  'name_norm',
  'search_text',
  'search_tokens',
  'py',
  'py_initial',
  'mobile_norm',
  'website_host',
  'dup_allowed',
  'deleted_at',
  'in_scope',
  'can_write',
])

/** A customer as it goes over the wire: all fields of CRM 1.0 and 1.1, contact data masked where it must be. */
export function customerRecord(found: FoundCustomer, { caller, zone, now }: Asking): JsonObject {
  const open = Object.fromEntries(Object.entries(found).filter(([name]) => !INTERNAL.has(name)))
  const shown = isMasked(caller, found) ? masked(open) : open
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  return { ...wireRow(shown, zone), left_days: leftDays(expiry, now) }
}

/** Names of what the record refers to; null where there is nothing, or nothing the tenant still has. */
export async function customerLabels(found: FoundCustomer, { trx, caller }: Asking): Promise<JsonObject> {
  const person = (column: string) =>
    sql`(select m.name from membership m where m.tenant_id = c.tenant_id and m.user_id = ${sql.ref(`c.${column}`)})`
  const { rows } = await sql<Record<string, string | null>>`
    select ${person('owner_id')} as owner_name, ${person('prev_owner_id')} as prev_owner_name,
      ${person('created_by')} as created_by_name, ${person('updated_by')} as updated_by_name,
      ${person('last_follow_by')} as last_follow_by_name,
      (select d.name from department d where d.tenant_id = c.tenant_id and d.id = c.owner_dept_id) as owner_dept_name,
      (select p.name from pool p where p.tenant_id = c.tenant_id and p.id = c.pool_id) as pool_name,
      (select u.name from customer u where u.tenant_id = c.tenant_id and u.id = c.parent_id) as parent_name,
      (select k.name from contact k where k.tenant_id = c.tenant_id and k.id = c.primary_contact_id) as contact_name,
      (select coalesce(k.mobile, k.telephone) from contact k
        where k.tenant_id = c.tenant_id and k.id = c.primary_contact_id) as contact_mobile
    from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${found.id}`.execute(trx)
  const labels = rows[0] ?? {}
  if (!isMasked(caller, found)) return labels
  const { mobile } = masked({ mobile: labels.contact_mobile ?? null })
  return { ...labels, contact_mobile: mobile }
}

/** How much hangs on the customer, for the heads of its tabs. */
export async function customerRelated(id: string, { trx, caller }: Asking): Promise<JsonObject> {
  const count = (table: 'contact' | 'bussiness' | 'contract' | 'follow') =>
    sql`(select count(*) from ${sql.table(table)} x where x.tenant_id = ${caller.tenantId} and x.customer_id = ${id} and x.deleted_at is null)`
  const { rows } = await sql<
    Record<string, number>
  >`select ${count('contact')} as contact, ${count('bussiness')} as bussiness,
    ${count('contract')} as contract, ${count('follow')} as follow,
    (select count(*) from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
      where p.tenant_id = ${caller.tenantId} and k.customer_id = ${id} and p.deleted_at is null) as payment,
    (select coalesce(sum(jsonb_array_length(f.images) + jsonb_array_length(f.files)), 0) from follow f
      where f.tenant_id = ${caller.tenantId} and f.customer_id = ${id} and f.deleted_at is null)
      + (select jsonb_array_length(c.attachments) from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${id})
      as attachment`.execute(trx)
  return rows[0] ?? {}
}
