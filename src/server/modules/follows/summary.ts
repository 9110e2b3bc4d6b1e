import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { PoolEntity } from '../../kernel/asking/entities.ts'
import { homePoolOf } from '../../kernel/pools/pool.ts'
import { expiryOfFacts, type HoldingFacts, holdingFacts } from '../../kernel/pools/refresh-expiry.ts'
import { type FoundRecord, wireRecord } from '../../kernel/records/find-record.ts'
import { pick } from '../../kernel/records/wire.ts'
import { customerRecord } from '../customers/detail.ts'
import { type FoundCustomer, findCustomer } from '../customers/find-customer.ts'
import type { ResolvedTarget } from './target.ts'

/** Characters of the last follow-up that a list card shows (DOMAIN 1.0). */
const SUMMARY_LENGTH = 120

/** The records a follow-up hangs on as its summary left them: what {@link targetSummary} shows of each. */
export type Refreshed = Readonly<Partial<Record<PoolEntity, FoundRecord>>>

/**
 * Writes the last follow-up, the next date and when they go back to their pool into the records the follow-up hangs on (DOMAIN 1.10). The
 * version of the records stays: somebody editing one is not disturbed.
 *
 * @param next  the next date; null clears it; undefined keeps one that lies in the future and clears one that is due
 */
export async function refreshSummary(
  target: Pick<ResolvedTarget, 'customer_id' | 'lead_id' | 'bussiness_id'>,
  next: Date | null | undefined,
  asking: Asking,
): Promise<Refreshed> {
  const refreshed: Partial<Record<PoolEntity, FoundRecord>> = {}
  for (const entity of ['customer', 'lead', 'bussiness'] as const) {
    const id = target[`${entity}_id`]
    const row = id === null ? undefined : await refreshOne(entity, id, next, asking)
    if (row !== undefined) refreshed[entity] = row
  }
  return refreshed
}

/** The last follow-up of a record. */
interface Last {
  readonly last_follow_at: Date | null
  readonly author_id: string | null
  readonly content: string | null
}

/** One row version for all of it: every one takes a place in each of the record's indexes. A record in a pool keeps what it says. */
async function refreshOne(
  entity: PoolEntity,
  id: string,
  next: Date | null | undefined,
  asking: Asking,
): Promise<FoundRecord | undefined> {
  const { trx, caller, now } = asking
  const facts = await factsOf(entity, id, asking)
  if (facts === undefined || facts.owner_id === null) return undefined
  const nextFollowAt =
    next === undefined
      ? sql`case when next_follow_at > ${now} then next_follow_at end`
      : sql`${next}::timestamptz`
  const { rows } = await sql<FoundRecord>`update ${sql.table(entity)} set
      last_follow_at = ${facts.last_follow_at}, last_follow_by = ${facts.author_id}, last_follow_content = ${facts.content},
      follow_status = case when ${facts.last_follow_at}::timestamptz is null then follow_status else 'followed' end,
      next_follow_at = ${nextFollowAt}, expire_at = ${expiryOfFacts(entity, facts)?.at ?? null}
      ${entity === 'lead' ? sql`, status = case when status = 10 then 20 else status end` : sql``}
    where tenant_id = ${caller.tenantId} and id = ${id} returning ${sql.join([...SAID_OF[entity], ...DECIDING].map((name) => sql.ref(name)))}`.execute(
    trx,
  )
  return rows[0]
}

async function factsOf(
  entity: PoolEntity,
  id: string,
  { trx, caller }: Asking,
): Promise<(Last & HoldingFacts) | undefined> {
  const { rows } = await sql<Last & HoldingFacts>`
    select f.followed_at as last_follow_at, f.author_id, left(f.content, ${SUMMARY_LENGTH}) as content, ${holdingFacts(entity)}
    from ${sql.table(entity)} r left join lateral (${homePoolOf(entity, caller.tenantId)}) home on true
    left join lateral (select x.followed_at, x.author_id, x.content from follow x
      where x.tenant_id = ${caller.tenantId} and ${sql.ref(`x.${entity}_id`)} = ${id} and x.deleted_at is null
      order by x.followed_at desc, x.id desc limit 1) f on true
    where r.tenant_id = ${caller.tenantId} and r.id = ${id} for no key update of r`.execute(trx)
  return rows[0]
}

/** What the summary of each says of its record. */
const SAID = [
  'id',
  'version',
  'follow_status',
  'last_follow_at',
  'last_follow_content',
  'next_follow_at',
  'expire_at',
]
const SAID_OF: Readonly<Record<PoolEntity, readonly string[]>> = {
  customer: [...SAID, 'stage', 'level'],
  lead: [...SAID, 'status', 'level'],
  bussiness: [...SAID, 'status', 'stage_id'],
}

/** Columns that decide how much of it is shown. */
const DECIDING = ['owner_id', 'pool_id']

const summaryOf = (entity: PoolEntity, wire: JsonObject): Json =>
  pick(wire, [...SAID_OF[entity], 'left_days'])

/** What changed on the record, so that the screen behind needs no further call; the customer where there is one. */
export async function targetSummary(
  target: ResolvedTarget,
  { customer, lead, bussiness }: Refreshed,
  asking: Asking,
): Promise<Json> {
  if (bussiness !== undefined) return summaryOf('bussiness', wireRecord('bussiness', bussiness, asking))
  if (lead !== undefined) return summaryOf('lead', wireRecord('lead', lead, asking))
  if (target.customer_id === null) return null
  // Of a contract nobody has asked yet whether the caller sees its customer.
  const isSeen = customer !== undefined && target.contract_id === null
  const found = isSeen ? (customer as FoundCustomer) : await findCustomer(target.customer_id, asking)
  return summaryOf('customer', customerRecord(found, asking))
}
