import { sql } from 'kysely'
import { refreshExpiry } from '../customers/holding.ts'
import type { Asking } from '../records/asking.ts'
import type { ResolvedTarget } from './target.ts'

/** Characters of the last follow-up that a list card shows (CRM 1.0). */
const SUMMARY_LENGTH = 120

/**
 * Writes the last follow-up and the next date into the records the follow-up hangs on (CRM 1.10). The version of the
 * records stays: somebody editing one is not disturbed.
 *
 * @param next  the next date; null clears it; undefined keeps one that lies in the future and clears one that is due
 */
export async function refreshSummary(
  target: ResolvedTarget,
  next: Date | null | undefined,
  asking: Asking,
): Promise<void> {
  for (const table of ['customer', 'lead', 'bussiness'] as const) {
    const id = target[`${table}_id`]
    if (id !== null) await refreshOne(table, id, next, asking)
  }
  if (target.customer_id !== null) await refreshExpiry(asking, target.customer_id)
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
