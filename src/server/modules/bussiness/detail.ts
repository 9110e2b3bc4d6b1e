import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { findRecord, maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { isFollowOverdue } from '../../kernel/records/next-follow.ts'
import { relatedNames } from '../../kernel/records/related-names.ts'
import { pick } from '../../kernel/records/wire.ts'
import { maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { type BussinessState, bussinessActions } from './actions.ts'
import { flowOf, offered } from './flows.ts'
import { isPastDue } from './list-spec.ts'

const DAY_MS = 86_400_000

const NAMES = {
  customer_name: sql`(select c.name from customer c where c.tenant_id = r.tenant_id and c.id = r.customer_id)`,
  contact_names: sql`(select coalesce(json_agg(k.name order by k.py), '[]') from contact k where k.tenant_id = r.tenant_id
    and k.id = any(r.contact_ids) and k.deleted_at is null)`,
}
const RELATED = {
  follow: sql`(select count(*) from follow f where f.tenant_id = r.tenant_id and f.bussiness_id = r.id
    and f.deleted_at is null)`,
  contract: sql`(select count(*) from contract k where k.tenant_id = r.tenant_id and k.bussiness_id = r.id
    and k.deleted_at is null)`,
  contact: sql`(select count(*) from contact k where k.tenant_id = r.tenant_id and k.id = any(r.contact_ids)
    and k.deleted_at is null)`,
  attachment: sql`((select coalesce(sum(jsonb_array_length(f.images) + jsonb_array_length(f.files)), 0) from follow f
    where f.tenant_id = r.tenant_id and f.bussiness_id = r.id and f.deleted_at is null) + jsonb_array_length(r.attachments))`,
}

/** GET /mini/bussiness/detail, with the stages of its flow. */
export async function bussinessDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const found = await findRecord('bussiness', id, ctx)
  const [around, full] = await Promise.all([
    relatedNames('bussiness', id, ctx, { ...NAMES, ...RELATED }),
    flowOf(found.flow_id, ctx),
  ])
  const { starred, more } = around
  const related = pick(more, Object.keys(RELATED))
  const { customer_name = null, contact_names = [] } = more
  const isInPool = found.owner_id === null
  const names = { ...around.labels, customer_name, contact_names: isInPool ? [] : contact_names }
  const labels = maskRow(names, maskOf(ctx.caller, 'bussiness', found))
  const flow = offered(full, found.stage_id)
  const since = found.stage_since instanceof Date ? found.stage_since : ctx.now
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  const wire = wireRecord('bussiness', found, ctx)
  return {
    record: {
      ...wire,
      ...labels,
      overdue: isPastDue(wire, ctx),
      follow_overdue: found.status === 1 && isFollowOverdue(found.next_follow_at, wire, ctx.now),
      left_days: remainingDays(expiry, ctx.now),
      stage_days: Math.floor((ctx.now.getTime() - since.getTime()) / DAY_MS),
      starred,
    },
    labels,
    related,
    flow: flow as unknown as Json,
    actions: bussinessActions(ctx.caller, found as unknown as BussinessState),
    mask: [...maskedFieldsOf('bussiness', found, ctx)],
    starred,
  }
}
