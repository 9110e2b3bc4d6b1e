import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { findRecord, maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { isFollowOverdue } from '../../kernel/records/next-follow.ts'
import { relatedNames } from '../../kernel/records/related-names.ts'
import { maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { type LeadState, leadActions } from './actions.ts'

const AROUND = {
  customer_name: sql`(select c.name from customer c where c.tenant_id = r.tenant_id and c.id = r.customer_id)`,
  converted_contact_name: sql`(select k.name from contact k where k.tenant_id = r.tenant_id and k.id = r.contact_id)`,
  bussiness_name: sql`(select b.name from bussiness b where b.tenant_id = r.tenant_id and b.id = r.bussiness_id)`,
  activity_name: sql`(select a.name from activity a where a.tenant_id = r.tenant_id and a.id = r.activity_id)`,
  product_names: sql`(select coalesce(json_agg(p.name order by p.py), '[]') from product p
    where p.tenant_id = r.tenant_id and p.id = any(r.products))`,
  follow: sql`(select count(*) from follow f where f.tenant_id = r.tenant_id and f.lead_id = r.id and f.deleted_at is null)`,
  attachment: sql`((select coalesce(sum(jsonb_array_length(f.images) + jsonb_array_length(f.files)), 0) from follow f
    where f.tenant_id = r.tenant_id and f.lead_id = r.id and f.deleted_at is null) + jsonb_array_length(r.attachments))`,
}

/** GET /mini/lead/detail. */
export async function leadDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const found = await findRecord('lead', id, ctx)
  const around = await relatedNames('lead', id, ctx, AROUND)
  const { follow = 0, attachment = 0, ...names } = around.more
  const labels = maskRow({ ...around.labels, ...names }, maskOf(ctx.caller, 'lead', found))
  const { starred } = around
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  const wire = wireRecord('lead', found, ctx)
  return {
    record: {
      ...wire,
      ...labels,
      overdue: isFollowOverdue(found.next_follow_at, wire, ctx.now),
      left_days: remainingDays(expiry, ctx.now),
      starred,
    },
    labels,
    related: { follow, attachment },
    actions: leadActions(ctx.caller, found as unknown as LeadState),
    mask: [...maskedFieldsOf('lead', found, ctx)],
    starred,
  }
}
