import { type RawBuilder, sql } from 'kysely'
import { type Caller, scopeOf } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity, SalesEntity } from '../context/entities.ts'
import { columnNamed } from '../db/column.ts'
import { instantOf, startOfDay, wallTimeOf } from '../time/zone.ts'
import { ownedParts, singlePart } from '../visibility/owned-parts.ts'
import { isInScope, isOwn, isVisibleOwned } from '../visibility/predicate.ts'
import { type Branches, isMirrored, type PartSorts, partBranches } from './branches.ts'
import type { FilterFields } from './filter-sql.ts'
import type { SortBy, SortColumn } from './keyset.ts'
import type { Tab } from './list-spec.ts'

/** Filters every owned record has (DOMAIN 1.0, 1.15). */
export const OWNED_FILTERS = {
  follow_status: { kind: 'code', column: 'follow_status' },
  obtain_way: { kind: 'code', column: 'obtain_way' },
  pool_times: { kind: 'number', column: 'pool_times' },
  owner_id: { kind: 'code', column: 'owner_id' },
  owner_dept_id: { kind: 'code', column: 'owner_dept_id' },
  created_by: { kind: 'code', column: 'created_by' },
  created_at: { kind: 'moment', column: 'created_at' },
  last_follow_at: { kind: 'moment', column: 'last_follow_at', none: '-infinity' },
  next_follow_at: { kind: 'moment', column: 'next_follow_at', none: 'infinity' },
  owner_since: { kind: 'moment', column: 'owner_since' },
  expire_at: { kind: 'moment', column: 'expire_at' },
} as const satisfies FilterFields

/** A sort column that contains times. */
export const momentSort = (column: string, nullable: boolean): SortColumn => ({
  column,
  type: 'timestamptz',
  nullable,
})

/**
 * The last activity on an owned record: its last follow-up, or the time its owner received it, whichever is later. Spelled like its indexes
 * (migration 0520).
 */
export function lastMoved(row: string): RawBuilder<Date> {
  return sql`greatest(${columnNamed(`${row}.last_follow_at`)}, ${columnNamed(`${row}.owner_since`)}, '-infinity'::timestamptz)`
}

/** Sorts of every owned record. A new or claimed record counts from its receipt: sorted by follow-ups alone it would come last. */
export const OWNED_SORTS = {
  last_follow_at: { ...momentSort('last_follow_at', false), value: lastMoved },
  created_at: momentSort('created_at', false),
  next_follow_at: momentSort('next_follow_at', true),
  owner_since: momentSort('owner_since', true),
  expire_at: momentSort('expire_at', true),
  py: { column: 'py', type: 'text', nullable: false },
  name: { column: 'py', type: 'text', nullable: false },
} as const satisfies Readonly<Record<string, SortColumn>>

const BY_NEXT: readonly SortBy[] = [{ by: OWNED_SORTS.next_follow_at, dir: 'asc' }]
/** The order in which the index for neglected records is read. */
const BY_MOVED: readonly SortBy[] = [{ by: OWNED_SORTS.last_follow_at, dir: 'desc' }]
const BY_EXPIRY: readonly SortBy[] = [{ by: OWNED_SORTS.expire_at, dir: 'asc' }]

/** "即将回收": within the three days of the default reminder (DOMAIN 1.2.1 remind_days). */
export const REMIND_MS = 3 * 86_400_000

/** Midnight of a tenant's day, `days` from today. */
export function dayStart({ now, zone }: CallContext, days: number): Date {
  return instantOf(startOfDay(wallTimeOf(now, zone), days), zone)
}

/** Ids of the records that the caller starred or opened, from a table keyed by user. */
export function markedIds(
  table: 'star' | 'recent_view',
  entity: string,
  { caller }: CallContext,
): RawBuilder<unknown> {
  return sql`select record_id from ${sql.table(table)} where tenant_id = ${caller.tenantId}
    and user_id = ${caller.userId} and entity = ${entity}`
}

/** No follow-up for a number of whole days of the tenant; a new record counts from its receipt (DOMAIN 3). */
export function isForgotten(ctx: CallContext, row: string, days: number): RawBuilder<boolean> {
  return sql<boolean>`(${lastMoved(row)} < ${dayStart(ctx, -days)})`
}

/** Within the time of {@link REMIND_MS}, the record returns to its pool. Spelled like its order. */
export const isExpiring = ({ now }: CallContext, row: string): RawBuilder<boolean> =>
  sql<boolean>`least(${columnNamed(`${row}.expire_at`)}, 'infinity'::timestamptz) < ${new Date(now.getTime() + REMIND_MS)}`

/** The quick tabs of every owned record (DOMAIN 1.1.4); those of the team contain everything the caller sees. */
export function ownedTabs(entity: PoolEntity, row: string) {
  const col = (name: string) => columnNamed(`${row}.${name}`)
  const owned = sql<boolean>`${col('owner_id')} is not null`
  const mine = ({ caller }: CallContext) => sql<boolean>`${col('owner_id')} = ${caller.userId}`
  /** Spelled like its order, so that reading the index starts at the first row. */
  const next = sql`least(${col('next_follow_at')}, 'infinity'::timestamptz)`
  const all = () => owned
  const isToday = (ctx: CallContext) =>
    sql<boolean>`${next} >= ${dayStart(ctx, 0)} and ${next} < ${dayStart(ctx, 1)}`
  const isOverdue = ({ now }: CallContext) => sql<boolean>`${next} < ${now}`
  const unfollowed = (days: number) => (ctx: CallContext) => isForgotten(ctx, row, days)
  const both = (whose: Tab['where'], which: Tab['where']) => (ctx: CallContext) =>
    sql<boolean>`(${whose(ctx)} and ${which(ctx)})`
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
      where: (ctx) => sql<boolean>`(${owned} and ${isMarked(entity, row, ctx)})`,
    },
    today: { where: both(mine, isToday), sort: BY_NEXT },
    overdue: { where: both(mine, isOverdue), sort: BY_NEXT },
    unfollowed7: { where: both(mine, unfollowed(7)) },
    unfollowed15: { where: both(mine, unfollowed(15)) },
    unfollowed30: { where: both(mine, unfollowed(30)) },
    unfollowed90: { where: both(mine, unfollowed(90)) },
    team_today: { where: both(all, isToday), sort: BY_NEXT },
    team_overdue: { where: both(all, isOverdue), sort: BY_NEXT },
    team_unfollowed7: { where: both(all, unfollowed(7)), sort: BY_MOVED },
    team_unfollowed15: { where: both(all, unfollowed(15)), sort: BY_MOVED },
    team_unfollowed30: { where: both(all, unfollowed(30)), sort: BY_MOVED },
    team_unfollowed90: { where: both(all, unfollowed(90)), sort: BY_MOVED },
    recycling: {
      where: (ctx) => sql<boolean>`(${mine(ctx)} and ${isExpiring(ctx, row)})`,
      sort: BY_EXPIRY,
    },
    recent: {
      where: (ctx) => sql<boolean>`(${owned} and ${col('id')} = any(array(
        ${markedIds('recent_view', entity, ctx)} order by viewed_at desc limit 50)))`,
    },
  } as const satisfies Readonly<Record<string, Tab>>
}

/** Sorts for which indexes by owner and by department exist (migrations 0011 to 0014, 0020, 0270, 0520). */
const HELD: PartSorts = {
  owner: ['last_follow_at desc', 'created_at desc', 'created_at asc', 'next_follow_at asc'],
  dept: ['last_follow_at desc', 'created_at desc', 'created_at asc', 'next_follow_at asc'],
}
/** Quick tabs that are not narrower than the visible rows; the others have indexes of their own. */
const WIDE = [
  'all',
  'subordinate',
  'team_today',
  'team_overdue',
  'team_unfollowed7',
  'team_unfollowed15',
  'team_unfollowed30',
  'team_unfollowed90',
]
/** Quick tabs of the caller's own rows. */
const OWN = [
  'mine',
  'today',
  'overdue',
  'unfollowed7',
  'unfollowed15',
  'unfollowed30',
  'unfollowed90',
  'recycling',
]

/**
 * The branches of an owned list: by owner, department and id.
 *
 * @param wide  further tabs of the entity that contain rows of several owners
 * @param held  further sorts that its indexes support
 */
export function ownedBranches(entity: PoolEntity, row: string, wide: readonly string[], held: PartSorts) {
  const tabs = new Set([...WIDE, ...wide])
  const all = { owner: [...HELD.owner, ...held.owner], dept: [...HELD.dept, ...held.dept] }
  const from = sql`${sql.table(entity)} ${columnNamed(row)}`
  return ({ caller }: CallContext, tab: string, sorts: readonly SortBy[]): Branches | null => {
    // Whoever sees records by scope also sees their own: no further condition is needed.
    if (OWN.includes(tab)) {
      const mine = singlePart(caller, caller.userId, isOwn(caller, row))
      return isMirrored(sorts)
        ? partBranches([mine], row, from, sorts, all)
        : { each: [{ from, where: mine.where }], isOwn: true }
    }
    if (!tabs.has(tab)) return null
    // Every sort with an index by owner also has one for the whole tenant.
    if (scopeOf(caller, entity) === 'all')
      return partBranches(
        [singlePart(caller, null, isVisibleOwned(caller, entity, row))],
        row,
        from,
        sorts,
        all,
      )
    const parts = ownedParts(caller, entity, row)
    const wanted =
      tab === 'subordinate' ? parts?.filter(({ hasOthers, by }) => hasOthers && by !== 'id') : parts
    const branches = partBranches(wanted ?? null, row, from, sorts, all)
    return branches && { ...branches, areTab: tab === 'subordinate' }
  }
}

/** The rows of an owned list for a keyword search: the record's own table, without the joins of a card. */
export function ownedFound(entity: PoolEntity, row: string) {
  const from = sql`${sql.table(entity)} ${columnNamed(row)}`
  return ({ caller }: CallContext): Branches => ({
    each: [{ from, where: isVisibleOwned(caller, entity, row) }],
  })
}

/** Joins and columns for the owner and the caller's star on a card. */
export function ownerAndStar(entity: SalesEntity, row: string, ownerRow: string, { caller }: CallContext) {
  const col = (name: string) => columnNamed(`${row}.${name}`)
  // Looked up for each row (`limit 1`): a join would read all members for one page.
  return sql`left join lateral (select o.name from membership o where o.tenant_id = ${col('tenant_id')}
      and o.user_id = ${columnNamed(`${ownerRow}.owner_id`)} limit 1) o on true
    ${starJoin(entity, row, caller)}`
}

/** `s`: the caller's star on the record, where there is one. */
export const starJoin = (entity: string, row: string, caller: Caller): RawBuilder<unknown> =>
  sql`left join star s on s.tenant_id = ${columnNamed(`${row}.tenant_id`)} and s.user_id = ${caller.userId}
      and s.entity = ${entity} and s.record_id = ${columnNamed(`${row}.id`)}`

/** The condition of the tab 我关注的. */
export const isMarked = (entity: string, row: string, ctx: CallContext): RawBuilder<boolean> =>
  sql<boolean>`${columnNamed(`${row}.id`)} = any(array(${markedIds('star', entity, ctx)}))`
