import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { findRecord, wireRecord } from '../../kernel/records/find-record.ts'
import { pick } from '../../kernel/records/wire.ts'
import { customerRecord } from '../customers/detail.ts'
import { findCustomer } from '../customers/find-customer.ts'
import type { ResolvedTarget } from './target.ts'

/** Characters of the last follow-up that a list card shows (DOMAIN 1.0). */
const SUMMARY_LENGTH = 120

/**
 * Writes the last follow-up and the next date into the records the follow-up hangs on (DOMAIN 1.10). The version of the
 * records stays: somebody editing one is not disturbed.
 *
 * @param next  the next date; null clears it; undefined keeps one that lies in the future and clears one that is due
 */
export async function refreshSummary(
  target: Pick<ResolvedTarget, 'customer_id' | 'lead_id' | 'bussiness_id'>,
  next: Date | null | undefined,
  asking: Asking,
): Promise<void> {
  for (const table of ['customer', 'lead', 'bussiness'] as const) {
    const id = target[`${table}_id`]
    if (id === null) continue
    await refreshOne(table, id, next, asking)
    await refreshExpiry(table, [id], { trx: asking.trx, tenantId: asking.caller.tenantId })
  }
}

async function refreshOne(
  table: 'customer' | 'lead' | 'bussiness',
  id: string,
  next: Date | null | undefined,
  { trx, caller, now }: Asking,
): Promise<void> {
  const nextFollowAt =
    next === undefined
      ? sql`case when t.next_follow_at > ${now} then t.next_follow_at end`
      : sql`${next}::timestamptz`
  await sql`update ${sql.table(table)} t set
      last_follow_at = f.followed_at, last_follow_by = f.author_id,
      last_follow_content = left(f.content, ${SUMMARY_LENGTH}),
      follow_status = case when f.followed_at is null then t.follow_status else 'followed' end,
      next_follow_at = ${nextFollowAt}
    from (select 1) one left join lateral (
      select x.followed_at, x.author_id, x.content from follow x
      where x.tenant_id = ${caller.tenantId} and ${sql.ref(`x.${table}_id`)} = ${id} and x.deleted_at is null
      order by x.followed_at desc, x.id desc limit 1) f on true
    where t.tenant_id = ${caller.tenantId} and t.id = ${id} and t.owner_id is not null`.execute(trx)
  if (table === 'lead') {
    await sql`update lead set status = 20 where tenant_id = ${caller.tenantId} and id = ${id} and status = 10`.execute(
      trx,
    )
  }
}

const SUMMARY = [
  'id',
  'version',
  'stage',
  'level',
  'status',
  'stage_id',
  'follow_status',
  'last_follow_at',
  'last_follow_content',
  'next_follow_at',
  'expire_at',
  'left_days',
]

/** What changed on the record, so that the screen behind needs no further call; the customer where there is one. */
export async function targetSummary(target: ResolvedTarget, asking: Asking): Promise<Json> {
  const { customer_id, lead_id, bussiness_id } = target
  if (bussiness_id !== null)
    return pick(wireRecord('bussiness', await findRecord('bussiness', bussiness_id, asking), asking), SUMMARY)
  if (lead_id !== null)
    return pick(wireRecord('lead', await findRecord('lead', lead_id, asking), asking), SUMMARY)
  if (customer_id === null) return null
  return pick(customerRecord(await findCustomer(customer_id, asking), asking), SUMMARY)
}
