import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import { recordLabels } from '../../kernel/fields/labels.ts'
import { maskOf, shownRow } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'
import type { FoundCustomer } from './find-customer.ts'

/** Names of what the record refers to; null where there is nothing, or nothing the tenant still has. */
export async function customerLabels(found: FoundCustomer, { trx, caller }: Asking): Promise<JsonObject> {
  const parent = isClear(caller, 'customer', 'parent_id') ? found.parent_id : null
  const [names, { rows }, parents] = await Promise.all([
    recordLabels('customer', found.id, { trx, caller }),
    sql<Record<string, string | null>>`
    select
      (select a.name from activity a where a.tenant_id = c.tenant_id and a.id = c.activity_id) as activity_name,
      (select k.name from contact k where k.tenant_id = c.tenant_id and k.id = c.primary_contact_id) as contact_name,
      (select coalesce(k.mobile, k.telephone) from contact k
        where k.tenant_id = c.tenant_id and k.id = c.primary_contact_id) as contact_mobile
    from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${found.id}`.execute(trx),
    typeof parent === 'string' && parent !== '' ? parentLabels(parent, { trx, caller }) : NO_PARENT,
  ])
  return shownRow({ ...names, ...rows[0], ...parents }, maskOf(caller, 'customer', found))
}

const NO_PARENT = { parent_name: null, parent_url: null }

/** Who stands above: named where the caller sees it, otherwise as the duplicate check names it (DOMAIN 1.1.3). */
async function parentLabels(
  id: string,
  { trx, caller }: Pick<Asking, 'trx' | 'caller'>,
): Promise<JsonObject> {
  const { rows } = await sql<{ name: string; in_pool: boolean; visible: boolean }>`
    select p.name, p.owner_id is null as in_pool, ${isVisible(caller, 'customer', 'p')} as visible
    from customer p where p.tenant_id = ${caller.tenantId} and p.id = ${id} and p.deleted_at is null`.execute(
    trx,
  )
  const [row] = rows
  if (row === undefined) return NO_PARENT
  if (!row.visible) return { parent_name: maskName(row.name), parent_url: null }

  return { parent_name: row.name, parent_url: customerUrl(id, row.in_pool) }
}

/** The page of a customer. */
export function customerUrl(id: string, inPool: boolean): string {
  return `${inPool ? '/pages/customer/pool/detail' : '/pages/customer/my/detail'}?id=${id}`
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
