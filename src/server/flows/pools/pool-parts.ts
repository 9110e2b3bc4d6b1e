import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolName } from '../../kernel/context/entities.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import type { Tab } from '../../kernel/lists/list-spec.ts'
import { dayStart, momentSort } from '../../kernel/lists/owned-list.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

/** The order of a pool: what came in last stands first. */
export const BY_ENTRY = momentSort('pool_entered_at', true)

/** What the records of every pool are filtered by. */
export const POOL_FILTERS = {
  pool_entered_at: { kind: 'moment', column: 'pool_entered_at' },
  pool_reason: { kind: 'code', column: 'pool_reason' },
  pool_times: { kind: 'number', column: 'pool_times' },
  prev_owner_id: { kind: 'code', column: 'prev_owner_id' },
} as const satisfies FilterFields

/** What decides from when somebody may claim a record. */
export interface ClaimableRow {
  readonly pool_id: string
  readonly pool_entered_at: Date | null
  /** When the caller last had it. */
  readonly left_at: Date | null
}

/** How long after an event somebody may claim: per pool (DOMAIN 1.2.1). */
export interface ClaimWait {
  readonly cooldownMs: number
  readonly freshMs: number
}

/** From when somebody who looks into the pool may claim a record; null where that is now. */
export function claimableFrom(
  { pool_id, pool_entered_at, left_at }: ClaimableRow,
  waits: ReadonlyMap<string, ClaimWait>,
  { now, zone }: Pick<CallContext, 'now' | 'zone'>,
): string | null {
  const wait = waits.get(pool_id)
  const mine = left_at === null || !wait?.cooldownMs ? 0 : left_at.getTime() + wait.cooldownMs
  const fresh = pool_entered_at === null || !wait?.freshMs ? 0 : pool_entered_at.getTime() + wait.freshMs
  const from = Math.max(mine, fresh)
  return from > now.getTime() ? dateTimeText(new Date(from), zone) : null
}

/** When the caller last had `r`, as a column `left_at`. */
export const leftAt = (entity: PoolName, { userId }: Caller): RawBuilder<unknown> =>
  sql`(select max(x.at) from owner_record x where x.tenant_id = r.tenant_id and x.entity = ${entity}
        and x.record_id = r.id and x.from_user = ${userId}) as left_at`

/** Rows that the caller put back, their own or those of colleagues. */
const isReturned = (entity: PoolName, { userId }: Caller): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from owner_record x where x.tenant_id = r.tenant_id
          and x.entity = ${entity} and x.record_id = r.id and x.kind = 'release' and x.operator_id = ${userId})`

/** The quick tabs of every pool: all, what came in today, what the caller put back. */
export const poolTabs = (entity: PoolName) =>
  ({
    all: { where: () => sql<boolean>`true` },
    today: {
      where: (ctx) =>
        sql<boolean>`greatest(r.pool_entered_at, '-infinity'::timestamptz) >= ${dayStart(ctx, 0)}`,
    },
    returned: { where: ({ caller }) => isReturned(entity, caller) },
  }) as const satisfies Readonly<Record<string, Tab>>
