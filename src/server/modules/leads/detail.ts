import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { recordLabels } from '../../kernel/fields/labels.ts'
import { leftDays } from '../../kernel/pools/expiry.ts'
import { findRecord, maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { isStarred, rememberView } from '../../kernel/records/marks.ts'
import { type LeadState, leadActions } from './actions.ts'

/** GET /mini/lead/detail. */
export async function leadDetail(id: string, asking: Asking): Promise<JsonObject> {
  const { trx, caller, now } = asking
  const found = await findRecord('lead', id, asking)
  const [{ rows }, people, starred] = await Promise.all([
    sql<JsonObject>`
    select (select c.name from customer c where c.tenant_id = l.tenant_id and c.id = l.customer_id) as customer_name,
      (select k.name from contact k where k.tenant_id = l.tenant_id and k.id = l.contact_id) as converted_contact_name,
      (select b.name from bussiness b where b.tenant_id = l.tenant_id and b.id = l.bussiness_id) as bussiness_name,
      (select a.name from activity a where a.tenant_id = l.tenant_id and a.id = l.activity_id) as activity_name,
      (select coalesce(json_agg(p.name order by p.py), '[]') from product p where p.tenant_id = l.tenant_id
        and p.id = any(l.products)) as product_names,
      (select count(*) from follow f where f.tenant_id = l.tenant_id and f.lead_id = l.id and f.deleted_at is null) as follow,
      (select coalesce(sum(jsonb_array_length(f.images) + jsonb_array_length(f.files)), 0) from follow f
        where f.tenant_id = l.tenant_id and f.lead_id = l.id and f.deleted_at is null)
        + jsonb_array_length(l.attachments) as attachment
    from lead l where l.tenant_id = ${caller.tenantId} and l.id = ${id}`.execute(trx),
    recordLabels('lead', id, asking),
    isStarred('lead', id, asking),
    rememberView('lead', id, asking),
  ])
  const { follow = 0, attachment = 0, ...names } = rows[0] ?? {}
  const labels = { ...people, ...names }
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  return {
    record: { ...wireRecord('lead', found, asking), ...labels, left_days: leftDays(expiry, now), starred },
    labels,
    related: { follow, attachment },
    actions: leadActions(caller, found as unknown as LeadState),
    mask: [...maskedFieldsOf('lead', found, asking)],
    starred,
  }
}
