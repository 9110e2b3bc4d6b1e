import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { homePoolOf } from '../../kernel/pools/pool.ts'
import {
  expiryOfFacts,
  type HoldingFacts,
  holdingFacts,
  refreshExpiry,
} from '../../kernel/pools/refresh-expiry.ts'
import { type FoundRecord, wireRecord } from '../../kernel/records/find-record.ts'
import { isFollowOverdue } from '../../kernel/records/next-follow.ts'
import { pick } from '../../kernel/records/wire.ts'
import { customerRecord } from '../customers/detail.ts'
import { type FoundCustomer, findCustomer } from '../customers/find-customer.ts'
import type { ResolvedTarget } from './target.ts'

/** Length of the last follow-up's text on a list card (DOMAIN 1.0). */
const SUMMARY_LENGTH = 120

/** The records of a follow-up after the update of their summaries, for {@link targetSummary}. */
export type Refreshed = Readonly<Partial<Record<PoolEntity, FoundRecord>>>

/**
 * Writes the last follow-up, the next date and the recycling date into the records of a follow-up (DOMAIN 1.10). Their versions stay unchanged, so
 * that somebody who edits one of them gets no conflict.
 *
 * @param next  the next date; null clears it; undefined keeps a future one and clears one that is due
 * @param known  the facts of its only record, if they have been queried before
 */
export async function refreshSummary(
  target: Pick<ResolvedTarget, 'customer_id' | 'lead_id' | 'bussiness_id' | 'record_module' | 'record_id'>,
  next: Date | null | undefined,
  ctx: CallContext,
  known?: SummaryFacts,
): Promise<Refreshed> {
  const refreshed: Partial<Record<PoolEntity, FoundRecord>> = {}
  const { record_module, record_id } = target
  if (record_module !== null && record_id !== null) await refreshOwn(record_module, record_id, ctx)
  for (const entity of ['customer', 'lead', 'bussiness'] as const) {
    const id = target[`${entity}_id`]
    if (id === null) continue
    const facts = known ?? (await summaryFacts(entity, id, ctx, true))
    const row = await refreshOne(entity, id, { facts, next }, ctx)
    if (row !== undefined) refreshed[entity] = row
  }
  return refreshed
}

/** The last follow-up of a record. */
interface Last {
  readonly follow_id: string | null
  readonly last_follow_at: Date | null
  readonly author_id: string | null
  readonly content: string | null
}

/** All columns in one update: every new row version adds an entry to each index of the table. A record in a pool keeps its summary. */
async function refreshOne(
  entity: PoolEntity,
  id: string,
  { facts, next }: { readonly facts: SummaryFacts | undefined; readonly next: Date | null | undefined },
  { trx, caller, now }: CallContext,
): Promise<FoundRecord | undefined> {
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

/** The same for a record of an own module, whose next date is shown to nobody. */
async function refreshOwn(module: string, id: string, { trx, caller, model }: CallContext): Promise<void> {
  const { tenantId } = caller
  await sql`update record r set last_follow_at = f.followed_at, last_follow_by = f.author_id,
      last_follow_content = left(f.content, ${SUMMARY_LENGTH}),
      follow_status = case when f.followed_at is null then r.follow_status else 'followed' end
    from (select 1) one left join lateral (select x.followed_at, x.author_id, x.content from follow x
      where x.tenant_id = ${tenantId} and x.record_module = ${module} and x.record_id = ${id} and x.deleted_at is null
      order by x.followed_at desc, x.id desc limit 1) f on true
    where r.tenant_id = ${tenantId} and r.module = ${module} and r.id = ${id} and r.pool_id is null`.execute(
    trx,
  )
  if (model.modules.get(module)?.behaviours.includes('pool') === true)
    await refreshExpiry(ownRights(module), [id], { trx, tenantId })
}

/** The current facts. @param hold  lock the record until the transaction ends; required before writing */
export async function summaryFacts(
  entity: PoolEntity,
  id: string,
  { trx, caller }: CallContext,
  hold = false,
): Promise<SummaryFacts | undefined> {
  const { rows } = await sql<SummaryFacts>`
    select f.id as follow_id, f.followed_at as last_follow_at, f.author_id, left(f.content, ${SUMMARY_LENGTH}) as content, ${holdingFacts(entity)}
    from ${sql.table(entity)} r left join lateral (${homePoolOf(entity, caller.tenantId)}) home on true
    left join lateral (select x.id, x.followed_at, x.author_id, x.content from follow x
      where x.tenant_id = ${caller.tenantId} and ${sql.ref(`x.${entity}_id`)} = ${id} and x.deleted_at is null
      order by x.followed_at desc, x.id desc limit 1) f on true
    where r.tenant_id = ${caller.tenantId} and r.id = ${id} ${hold ? sql`for no key update of r` : sql``}`.execute(
    trx,
  )
  return rows[0]
}

/** The facts from which a record's summary and recycling date are computed: its last follow-up, and the data of the holding rules. */
export type SummaryFacts = Last & HoldingFacts

/** A follow-up that is being created. */
export interface NewFollow {
  readonly id: string
  readonly author_id: string
  readonly followed_at: Date
  readonly content: string
}

/** The facts after a new follow-up, which becomes the last one unless it is dated earlier. */
export function factsWith(
  facts: SummaryFacts,
  { id, author_id, followed_at, content }: NewFollow,
): SummaryFacts {
  const { last_follow_at, follow_id } = facts
  const before = last_follow_at?.getTime() ?? Number.NEGATIVE_INFINITY
  const isLast =
    before < followed_at.getTime() || (before === followed_at.getTime() && (follow_id ?? '') < id)
  if (!isLast) return facts
  const shown = Array.from(content).slice(0, SUMMARY_LENGTH).join('')
  return { ...facts, last_follow_at: followed_at, author_id, content: shown, follow_id: id }
}

/** The columns of the summary. */
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

/** Columns that decide how much of the record is shown. */
const DECIDING = ['owner_id', 'pool_id']

const summaryOf = (entity: PoolEntity, wire: JsonObject): Json =>
  pick(wire, [...SAID_OF[entity], 'left_days', 'overdue', 'follow_overdue'])

/** The changed values of the record, so that the page behind needs no further call; includes the customer, if there is one. */
export async function targetSummary(
  target: ResolvedTarget,
  { customer, lead, bussiness }: Refreshed,
  ctx: CallContext,
): Promise<Json> {
  if (bussiness !== undefined) {
    const wire = wireRecord('bussiness', bussiness, ctx)
    return summaryOf('bussiness', {
      ...wire,
      follow_overdue: bussiness.status === 1 && isFollowOverdue(bussiness.next_follow_at, wire, ctx.now),
    })
  }
  if (lead !== undefined) {
    const wire = wireRecord('lead', lead, ctx)
    return summaryOf('lead', { ...wire, overdue: isFollowOverdue(lead.next_follow_at, wire, ctx.now) })
  }
  if (target.customer_id === null) return null
  // For a contract it is not known yet whether the caller sees its customer.
  const isSeen = customer !== undefined && target.contract_id === null
  const found = isSeen ? (customer as FoundCustomer) : await findCustomer(target.customer_id, ctx)
  return summaryOf('customer', customerRecord(found, ctx))
}
