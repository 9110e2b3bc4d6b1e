import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { relatedNames } from '../../kernel/records/related-names.ts'
import { pick } from '../../kernel/records/wire.ts'
import { maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'
import type { FoundCustomer } from './find-customer.ts'

/** Data around a customer: names of the records it refers to (null if there is none or it is gone), and counts for the heads of its tabs. */
export async function aroundCustomer(
  found: FoundCustomer,
  ctx: CallContext,
): Promise<{ readonly labels: JsonObject; readonly related: JsonObject; readonly starred: boolean }> {
  const { caller } = ctx
  const parent = isClear(caller, 'customer', 'parent_id') ? found.parent_id : null
  const [{ labels, more, starred }, parents] = await Promise.all([
    relatedNames('customer', found.id, ctx, { ...NAMES, ...RELATED }),
    typeof parent === 'string' && parent !== '' ? parentLabels(parent, ctx) : NO_PARENT,
  ])
  const names = { ...labels, ...pick(more, Object.keys(NAMES)), ...parents }
  return {
    labels: maskRow(names, maskOf(caller, 'customer', found)),
    related: pick(more, Object.keys(RELATED)),
    starred,
  }
}

const NAMES = {
  activity_name: sql`(select a.name from activity a where a.tenant_id = r.tenant_id and a.id = r.activity_id)`,
  contact_name: sql`(select k.name from contact k where k.tenant_id = r.tenant_id and k.id = r.primary_contact_id)`,
  contact_mobile: sql`(select coalesce(k.mobile, k.telephone) from contact k
    where k.tenant_id = r.tenant_id and k.id = r.primary_contact_id)`,
}

const countOf = (table: 'contact' | 'bussiness' | 'contract' | 'follow') =>
  sql`(select count(*) from ${sql.table(table)} x where x.tenant_id = r.tenant_id and x.customer_id = r.id
    and x.deleted_at is null)`
const RELATED = {
  contact: countOf('contact'),
  bussiness: countOf('bussiness'),
  contract: countOf('contract'),
  follow: countOf('follow'),
  payment: sql`(select count(*) from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where p.tenant_id = r.tenant_id and k.customer_id = r.id and p.deleted_at is null)`,
  attachment: sql`((select coalesce(sum(jsonb_array_length(f.images) + jsonb_array_length(f.files)), 0) from follow f
    where f.tenant_id = r.tenant_id and f.customer_id = r.id and f.deleted_at is null) + jsonb_array_length(r.attachments))`,
}

const NO_PARENT = { parent_name: null, parent_url: null }

/** The parents: with their name if the caller sees them, otherwise as the duplicate check names them (DOMAIN 1.1.3). */
async function parentLabels(
  id: string,
  { trx, caller }: Pick<CallContext, 'trx' | 'caller'>,
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

/** The page that shows a customer. */
export function customerUrl(id: string, inPool: boolean): string {
  return `${inPool ? '/pages/customer/pool/detail' : '/pages/customer/my/detail'}?id=${id}`
}
