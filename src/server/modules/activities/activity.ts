import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { ActivityAction, ActivityStats, ActivityStatus } from '../../../contract/activity.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { wireExt } from '../../kernel/fields/ext-fields.ts'
import { centsOf } from '../../kernel/fields/money.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { effective } from '../contracts/find-contract.ts'

/** An activity as stored in the database. */
export interface StoredActivity {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly start_at: Date
  readonly end_at: Date
  readonly owner_id: string
  readonly cancelled_at: Date | null
  readonly actual_cost: number | null
  readonly version: number
  readonly [column: string]: unknown
}

/** The status of an activity at a given time, as SQL over an alias of the table. */
export function statusAt(row: string, now: Date) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<ActivityStatus>`case when ${at('cancelled_at')} is not null then 'cancelled'
    when ${at('start_at')} > ${now} then 'pending' when ${at('end_at')} < ${now} then 'ended' else 'running' end`
}

/** The status of an activity that has been read already. */
export function statusOf({ cancelled_at, start_at, end_at }: StoredActivity, now: Date): ActivityStatus {
  if (cancelled_at !== null) return 'cancelled'
  if (start_at > now) return 'pending'
  return end_at < now ? 'ended' : 'running'
}

/** An activity of the tenant. Whoever may see activities sees all of them. 404 if it does not exist. */
export async function findActivity(id: string, ctx: CallContext, lock = false): Promise<StoredActivity> {
  const { trx, caller } = ctx
  const { rows } = await sql<StoredActivity>`select a.* from activity a
    where a.tenant_id = ${caller.tenantId} and a.id = ${id} and a.deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

const INTERNAL = new Set([
  'tenant_id',
  'name_norm',
  'search_text',
  'search_tokens',
  'py',
  'py_initial',
  'deleted_at',
])

/** An activity as the API returns it. */
export function activityRecord(found: StoredActivity, ctx: CallContext): JsonObject {
  const { now, zone } = ctx
  const shown = Object.fromEntries(Object.entries(found).filter(([name]) => !INTERNAL.has(name)))
  return {
    ...maskRow(wireRow(shown, zone), rightsMask(ctx.caller, 'activity')),
    ...wireExt('activity', found.ext, ctx),
    status: statusOf(found, now),
  }
}

/** Buttons of an activity (DOMAIN 1.8). */
export function activityActions(caller: Caller, status: ActivityStatus): ActivityAction[] {
  const may = (permission: string) => caller.permissions.has(permission)
  const isLive = status !== 'cancelled'
  const rules: readonly (readonly [ActivityAction, boolean])[] = [
    ['add_lead', may('lead:add') && isLive],
    ['sign_in', may('activity:sign_in') && isLive],
    ['member', may('activity:edit') && isLive],
    ['share', isLive],
    ['edit', may('activity:edit') && isLive],
    ['cancel', may('activity:edit') && isLive && status !== 'ended'],
    ['delete', may('activity:del')],
  ]
  return rules.filter(([, isOffered]) => isOffered).map(([action]) => action)
}

/** GET /mini/activity/detail. */
export async function activityDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const { trx, caller, now } = ctx
  const found = await findActivity(id, ctx)
  const { rows } = await sql<{
    owner_name: string | null
    created_by_name: string | null
    member_names: string[]
  }>`
    select (select name from membership where tenant_id = ${caller.tenantId} and user_id = ${found.owner_id}) as owner_name,
      (select name from membership where tenant_id = ${caller.tenantId} and user_id = ${found.created_by}) as created_by_name,
      array(select name from membership where tenant_id = ${caller.tenantId}
        and user_id = any(${found.member_ids}::text[]) order by name) as member_names`.execute(trx)
  const { member_names = [], ...labels } = rows[0] ?? { owner_name: null, created_by_name: null }
  const stats = await activityStats(found, ctx)
  const mask = rightsMask(caller, 'activity')
  return {
    record: { ...activityRecord(found, ctx), ...labels, ...maskRow({ member_names }, mask) },
    labels,
    stats: { ...stats },
    related: { lead: stats.leads, customer: stats.customers, member: stats.invited },
    actions: activityActions(caller, statusOf(found, now)),
    mask: [...mask.masked],
  }
}

/** What the activity brought, counted over the rows the caller sees (DOMAIN 0.12). */
async function activityStats(found: StoredActivity, { trx, caller }: CallContext): Promise<ActivityStats> {
  const customers = sql`select c.id from customer c where c.activity_id = ${found.id}
    and c.tenant_id = ${caller.tenantId} and c.deleted_at is null`
  const { rows } = await sql<Omit<ActivityStats, 'roi' | 'signed'> & { readonly signed: number }>`select
    (select count(*) from lead l where l.activity_id = ${found.id} and ${isVisible(caller, 'lead', 'l')}) as leads,
    (select count(*) from customer c where c.activity_id = ${found.id} and ${isVisible(caller, 'customer', 'c')}) as customers,
    (select count(*) from bussiness b where b.customer_id in (${customers}) and ${isVisible(caller, 'bussiness', 'b')}) as bussiness,
    (select coalesce(sum(k.amount), 0) from contract k where k.customer_id in (${customers}) and ${effective('k')}
      and ${isVisible(caller, 'contract', 'k')}) as signed,
    (select count(*) from activity_member m where m.tenant_id = ${caller.tenantId} and m.activity_id = ${found.id}) as invited,
    (select count(*) from activity_member m where m.tenant_id = ${caller.tenantId} and m.activity_id = ${found.id}
      and m.status = 'signed') as signed_in`.execute(trx)
  const counted = rows[0] ?? { leads: 0, customers: 0, bussiness: 0, signed: 0, invited: 0, signed_in: 0 }
  const cost = found.actual_cost ?? 0
  const mayShowAmounts = isClear(caller, 'activity', 'actual_cost') && isClear(caller, 'contract', 'amount')
  const signed = isClear(caller, 'contract', 'amount') ? counted.signed : null
  const roi =
    mayShowAmounts && cost > 0 ? Math.round((centsOf(counted.signed) * 100) / centsOf(cost)) / 100 : null
  return { ...counted, signed, roi }
}
