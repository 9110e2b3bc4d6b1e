import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../records/asking.ts'
import type { PoolEntity, SalesEntity } from '../records/entities.ts'
import { isInScope } from '../visibility/predicate.ts'
import type { FilterFields } from './filter-sql.ts'
import type { SortBy, SortColumn } from './keyset.ts'
import type { Tab } from './run-list.ts'
import { instantOf, startOfDay, wallTimeOf } from './zone.ts'

/** Filters every owned record has (CRM 1.0, 1.15). */
export const OWNED_FILTERS = {
  name: { kind: 'text', column: 'name' },
  follow_status: { kind: 'code', column: 'follow_status' },
  obtain_way: { kind: 'code', column: 'obtain_way' },
  pool_times: { kind: 'number', column: 'pool_times' },
  owner_id: { kind: 'code', column: 'owner_id' },
  owner_dept_id: { kind: 'code', column: 'owner_dept_id' },
  created_by: { kind: 'code', column: 'created_by' },
  created_at: { kind: 'moment', column: 'created_at' },
  last_follow_at: { kind: 'moment', column: 'last_follow_at' },
  next_follow_at: { kind: 'moment', column: 'next_follow_at' },
  owner_since: { kind: 'moment', column: 'owner_since' },
  expire_at: { kind: 'moment', column: 'expire_at' },
} as const satisfies FilterFields

/** A sort column that holds a moment. */
export const momentSort = (column: string, nullable: boolean): SortColumn => ({
  column,
  type: 'timestamptz',
  nullable,
})

/** Sorts every owned record has. */
export const OWNED_SORTS = {
  last_follow_at: momentSort('last_follow_at', true),
  created_at: momentSort('created_at', false),
  next_follow_at: momentSort('next_follow_at', true),
  owner_since: momentSort('owner_since', true),
  expire_at: momentSort('expire_at', true),
  py: { column: 'py', type: 'text', nullable: false },
  name: { column: 'py', type: 'text', nullable: false },
} as const satisfies Readonly<Record<string, SortColumn>>

export const BY_NEXT: readonly SortBy[] = [{ by: OWNED_SORTS.next_follow_at, dir: 'asc' }]
const BY_EXPIRY: readonly SortBy[] = [{ by: OWNED_SORTS.expire_at, dir: 'asc' }]

/** "即将回收": within the three days of the default reminder (CRM 1.2.1 remind_days). */
const REMIND_MS = 3 * 86_400_000

/** Midnight of the tenant's day, `days` from now. */
export function dayStart({ now, zone }: Asking, days: number): Date {
  return instantOf(startOfDay(wallTimeOf(now, zone), days), zone)
}

/** Ids of the records the caller marked or opened, from a table keyed by user. */
export function markedIds(
  table: 'star' | 'recent_view',
  entity: SalesEntity,
  { caller }: Asking,
): RawBuilder<unknown> {
  return sql`select record_id from ${sql.table(table)} where tenant_id = ${caller.tenantId}
    and user_id = ${caller.userId} and entity = ${entity}`
}

/** Not followed for so many whole days of the tenant; one just received counts from then (CRM 3). */
export function isForgotten(asking: Asking, row: string, days: number): RawBuilder<boolean> {
  const last = sql`greatest(${sql.ref(`${row}.last_follow_at`)}, ${sql.ref(`${row}.owner_since`)})`
  return sql<boolean>`(${last} < ${dayStart(asking, -days)})`
}

/** The quick tabs every owned record has (CRM 1.1.4). */
export function ownedTabs(entity: PoolEntity, row: string) {
  const col = (name: string) => sql.ref(`${row}.${name}`)
  const owned = sql<boolean>`${col('owner_id')} is not null`
  const mine = ({ caller }: Asking) => sql<boolean>`${col('owner_id')} = ${caller.userId}`
  const unfollowed = (days: number) => (asking: Asking) =>
    sql<boolean>`(${mine(asking)} and ${isForgotten(asking, row, days)})`
  return {
    all: { where: () => owned },
    mine: { where: mine },
    collaborating: {
      where: ({ caller }) => sql<boolean>`(${owned} and ${col('id')} = any(array(select record_id
        from collaborator where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
          and entity = ${entity} and (expire_at is null or expire_at > now()))))`,
    },
    subordinate: {
      where: ({ caller }) =>
        sql<boolean>`(${col('owner_id')} <> ${caller.userId} and ${isInScope(caller, entity, row)})`,
    },
    starred: {
      where: (asking) =>
        sql<boolean>`(${owned} and ${col('id')} = any(array(${markedIds('star', entity, asking)})))`,
    },
    today: {
      where: (asking) => sql<boolean>`(${mine(asking)} and ${col('next_follow_at')} >= ${dayStart(asking, 0)}
        and ${col('next_follow_at')} < ${dayStart(asking, 1)})`,
      sort: BY_NEXT,
    },
    overdue: {
      where: (asking) => sql<boolean>`(${mine(asking)} and ${col('next_follow_at')} < ${asking.now})`,
      sort: BY_NEXT,
    },
    unfollowed7: { where: unfollowed(7) },
    unfollowed15: { where: unfollowed(15) },
    unfollowed30: { where: unfollowed(30) },
    unfollowed90: { where: unfollowed(90) },
    recycling: {
      where: (asking) => sql<boolean>`(${mine(asking)}
        and ${col('expire_at')} < ${new Date(asking.now.getTime() + REMIND_MS)})`,
      sort: BY_EXPIRY,
    },
    recent: {
      where: (asking) => sql<boolean>`(${owned} and ${col('id')} = any(array(
        ${markedIds('recent_view', entity, asking)} order by viewed_at desc limit 50)))`,
    },
  } as const satisfies Readonly<Record<string, Tab>>
}

/** Joins and columns of what a card shows of its owner and the caller's star. */
export function ownerAndStar(entity: SalesEntity, row: string, ownerRow: string, { caller }: Asking) {
  const col = (name: string) => sql.ref(`${row}.${name}`)
  return sql`left join membership o on o.tenant_id = ${col('tenant_id')}
      and o.user_id = ${sql.ref(`${ownerRow}.owner_id`)}
    left join star s on s.tenant_id = ${col('tenant_id')} and s.user_id = ${caller.userId}
      and s.entity = ${entity} and s.record_id = ${col('id')}`
}
