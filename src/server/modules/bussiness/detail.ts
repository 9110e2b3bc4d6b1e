import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { recordLabels } from '../../kernel/fields/labels.ts'
import { leftDays } from '../../kernel/pools/expiry.ts'
import { type FoundRecord, findRecord, maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { isStarred, rememberView } from '../../kernel/records/marks.ts'
import { type BussinessState, bussinessActions } from './actions.ts'
import { flowOf, offered } from './flows.ts'

const DAY_MS = 86_400_000

/** GET /mini/bussiness/detail, the stages of its flow with it. */
export async function bussinessDetail(id: string, asking: Asking): Promise<JsonObject> {
  const found = await findRecord('bussiness', id, asking)
  const [related, people, names, starred, whole] = await Promise.all([
    relatedOf(id, asking),
    recordLabels('bussiness', id, asking),
    namesOf(found, asking),
    isStarred('bussiness', id, asking),
    flowOf(found.flow_id, asking),
    rememberView('bussiness', id, asking),
  ])
  const labels = { ...people, ...names }
  const flow = offered(whole, found.stage_id)
  const since = found.stage_since instanceof Date ? found.stage_since : asking.now
  const expiry = found.expire_at instanceof Date ? found.expire_at : null
  return {
    record: {
      ...wireRecord('bussiness', found, asking),
      ...labels,
      left_days: leftDays(expiry, asking.now),
      stage_days: Math.floor((asking.now.getTime() - since.getTime()) / DAY_MS),
      starred,
    },
    labels,
    related,
    flow: flow as unknown as Json,
    actions: bussinessActions(asking.caller, found as unknown as BussinessState),
    mask: [...maskedFieldsOf('bussiness', found, asking)],
    starred,
  }
}

async function relatedOf(id: string, { trx, caller }: Asking): Promise<JsonObject> {
  const { rows } = await sql<JsonObject>`select
      (select count(*) from follow f where f.tenant_id = ${caller.tenantId} and f.bussiness_id = ${id}
        and f.deleted_at is null) as follow,
      (select count(*) from contract k where k.tenant_id = ${caller.tenantId} and k.bussiness_id = ${id}
        and k.deleted_at is null) as contract,
      (select count(*) from bussiness b join contact k on k.tenant_id = b.tenant_id and k.id = any(b.contact_ids)
        and k.deleted_at is null where b.tenant_id = ${caller.tenantId} and b.id = ${id}) as contact,
      (select coalesce(sum(jsonb_array_length(f.images) + jsonb_array_length(f.files)), 0) from follow f
        where f.tenant_id = ${caller.tenantId} and f.bussiness_id = ${id} and f.deleted_at is null)
        + (select jsonb_array_length(b.attachments) from bussiness b where b.tenant_id = ${caller.tenantId} and b.id = ${id})
        as attachment`.execute(trx)
  return rows[0] ?? {}
}

async function namesOf(found: FoundRecord, { trx, caller }: Asking): Promise<JsonObject> {
  const { rows } = await sql<JsonObject>`select
      (select c.name from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${found.customer_id}) as customer_name,
      (select coalesce(json_agg(k.name order by k.py), '[]') from contact k where k.tenant_id = ${caller.tenantId}
        and k.id = any(${found.contact_ids}::text[]) and k.deleted_at is null) as contact_names`.execute(trx)
  const { customer_name = null, contact_names = [] } = rows[0] ?? {}
  return { customer_name, contact_names: found.owner_id === null ? [] : contact_names }
}
