import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../../contract/list.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, scopeOf } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Branch, Branches } from '../../kernel/lists/branches.ts'
import type { FilterField } from '../../kernel/lists/filter-sql.ts'
import type { SortBy } from '../../kernel/lists/keyset.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { statCondition } from '../../kernel/lists/stat-rows.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { likeColumns } from '../../kernel/records/likes.ts'
import { isOwnVisible, ownModuleParts } from '../../kernel/visibility/own-module.ts'
import { accessibleIds, ownedParts } from '../../kernel/visibility/owned-parts.ts'
import {
  isApprover,
  isLive,
  isVisible,
  isVisibleOwned,
  membersInScope,
} from '../../kernel/visibility/predicate.ts'
import { grams } from '../../kernel/words/grams.ts'
import { isFollowInPool, searchedText } from './seen-content.ts'

/** The types of records that follow-ups belong to. */
export const FOLLOWED = ['customer', 'lead', 'bussiness', 'contract'] as const

/**
 * A follow-up is visible to whoever sees one of its records (DOMAIN 1.10).
 *
 * @param extent  `of a page` checks the records of each row (`offset 0` stops the planner from reading all records first)
 */
function isFollowVisible(
  caller: Caller,
  row: string,
  extent: 'of all' | 'of a page' = 'of all',
): RawBuilder<boolean> {
  const fence = extent === 'of a page' ? sql` offset 0` : sql``
  return hangsOnSeen(caller, row, (entity) => sql`${isVisible(caller, entity, 'seen')}${fence}`)
}

/** {@link isFollowVisible}, and on records of own modules visible to whoever sees the record. */
export function isFollowSeen(
  ctx: CallContext,
  row: string,
  extent: 'of all' | 'of a page' = 'of all',
): RawBuilder<boolean> {
  return orOnOwn(isFollowVisible(ctx.caller, row, extent), ctx, row)
}

/** {@link isFollowSeen}, only for records that are in no pool. Checks the records of each row. */
export function isFollowOfOwned(ctx: CallContext, row: string): RawBuilder<boolean> {
  const { caller } = ctx
  const onOwned = hangsOnSeen(
    caller,
    row,
    (entity) => sql`${isVisibleOwned(caller, entity, 'seen')} offset 0`,
  )
  return orOnOwn(onOwned, ctx, row)
}

/** Own modules with follow-ups that the caller may see. */
export const followedModules = ({ caller, model }: CallContext): readonly MergedModule[] =>
  ownModules(model).filter(
    ({ name, behaviours }) =>
      behaviours.includes('follow') && holdsPermission(caller.permissions, `${ownRights(name)}:view`),
  )

/** Alternative: it belongs to a record of an own module that the caller sees. */
function orOnOwn(seen: RawBuilder<boolean>, ctx: CallContext, row: string): RawBuilder<boolean> {
  const { caller } = ctx
  const at = (name: string) => sql.ref(`${row}.${name}`)
  const conditions = followedModules(ctx).map(
    (module) => sql`exists (select 1 from record seen where seen.module = ${at('record_module')}
      and seen.id = ${at('record_id')} and ${isOwnVisible(caller, module, 'seen')} offset 0)`,
  )
  if (conditions.length === 0) return seen
  return sql<boolean>`(${seen} or ${at('record_id')} is not null and ${isLive(caller, row)}
    and (${sql.join(conditions, sql` or `)}))`
}

function hangsOnSeen(
  caller: Caller,
  row: string,
  isSeen: (entity: (typeof FOLLOWED)[number]) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  const conditions = FOLLOWED.map(
    (entity) => sql`exists (select 1 from ${sql.table(entity)} seen where seen.id = ${at(`${entity}_id`)}
      and ${isSeen(entity)})`,
  )
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('deleted_at')} is null
    and (${sql.join(conditions, sql` or `)}))`
}

/** Maximum number of authors whose feeds are merged. With more, scanning the tenant's feed in its own order is faster. */
const MAX_AUTHORS = 40

/**
 * The same rule split into branches, each in the order of time: the feed by the owners of the records (`follow_place`, kept by triggers), the tabs of
 * authors by author. In any other order the rule is one query.
 */
function followBranches(
  ctx: CallContext,
  tab: string,
  sorts: readonly SortBy[],
  filters: readonly Filter[] = [],
): Branches | null {
  const { caller } = ctx
  const [sort, ...more] = sorts
  const places = [
    ...FOLLOWED.map((entity) => placesOf(caller, entity)),
    ...followedModules(ctx).map((module) => placesOfOwn(caller, module)),
  ]
  if (more.length > 0 || sort?.by.column !== 'followed_at' || places.includes(null)) return null
  const all = places.flatMap((some) => some ?? [])
  const team = caller.reach?.team ?? null
  const author = filters.find(({ field, op }) => field === 'author_id' && op === 'eq')?.value
  if (typeof author === 'string') return { each: [ofAuthors(caller, sql`= ${author}`, all)] }
  if (tab === 'mine') return { each: [ofAuthors(caller, sql`= ${caller.userId}`, all)] }
  if (tab === 'team' && team !== null) {
    const others = team.filter((id) => id !== caller.userId)
    const each =
      others.length > MAX_AUTHORS ? [sql`= any(${others}::text[])`] : others.map((id) => sql`= ${id}`)
    return { each: each.map((author) => ofAuthors(caller, author, all)) }
  }
  // One branch per type, and one more of contracts for their approvers.
  return { each: all.map(inPlace), copies: FOLLOWED.length + 1 }
}

/** Places of follow-ups that the caller sees. */
interface Places {
  readonly where: RawBuilder<unknown>
  /** Selected by record id, so not in the order of time. */
  readonly byId: boolean
}

/** `isVisible` of the records of one type, in parts of `follow_place`; null if one query is better. */
function placesOf(caller: Caller, entity: (typeof FOLLOWED)[number]): readonly Places[] | null {
  const { reach } = caller
  if (reach === undefined) return null
  const live = sql<boolean>`p.tenant_id = ${caller.tenantId} and p.entity = ${entity}`
  const isAll = scopeOf(caller, entity) === 'all'
  const parts = isAll ? [] : ownedParts(caller, entity, 'p', { id: 'record_id', live })
  if (parts === null) return null
  const place = (where: RawBuilder<unknown>): Places => ({ where, byId: false })
  const placeById = (where: RawBuilder<unknown>): Places => ({ where, byId: true })
  const owned = [
    ...(isAll ? [place(sql`${live} and p.owner_id is not null`)] : []),
    ...parts.map(({ by, where }) => (by === 'id' ? placeById(where) : place(where))),
  ]
  if (entity === 'contract')
    return isAll
      ? owned
      : [
          ...owned,
          placeById(sql`${live} and p.record_id = any(array(select x.id from contract x
            where ${isLive(caller, 'x')} and ${isApprover(caller, 'x')}))`),
        ]
  const pools = [...reach.pools[entity]]
  const ids = [...accessibleIds(reach, entity)]
  return [
    ...owned,
    ...pools.map((id) => place(sql`${live} and p.pool_id = ${id}`)),
    ...(ids.length === 0
      ? []
      : [
          placeById(sql`${live} and p.record_id = any(${ids}::text[]) and p.pool_id is not null
            and p.pool_id <> all(${pools}::text[])`),
        ]),
  ]
}

/** The same for records of an own module, which are in no pool. */
function placesOfOwn(caller: Caller, module: MergedModule): readonly Places[] | null {
  const { name, behaviours } = module
  const rights = ownRights(name)
  const live = sql<boolean>`p.tenant_id = ${caller.tenantId} and p.entity = ${`m/${name}`}`
  if (!behaviours.includes('owned') || scopeOf(caller, rights) === 'all')
    // An absent value is stored as '': records in pools are not shown in this feed.
    return [
      {
        where: behaviours.includes('pool')
          ? sql`${live} and p.owner_id <> ''`
          : sql`${live} and p.owner_id is not null`,
        byId: false,
      },
    ]
  const parts = ownModuleParts(caller, module, 'p', { id: 'record_id', live })
  return parts?.map(({ by, where }) => ({ where, byId: by === 'id' })) ?? null
}

const OF_PLACE = sql`join follow f on f.tenant_id = p.tenant_id and f.id = p.id`

/** Follow-ups in the order of their places. For places by record id, `offset 0` keeps the planner from searching them in the order of the feed. */
function inPlace({ where, byId }: Places): Branch {
  const from = byId ? sql`(select p.* from follow_place p where ${where} offset 0) p` : sql`follow_place p`
  return {
    from: sql`${from} ${OF_PLACE}`,
    where: byId ? sql<boolean>`true` : sql<boolean>`${where}`,
    at: 'p',
  }
}

/** Follow-ups of authors in the order of their index, each looked up among the places (`limit` forces this plan). */
function ofAuthors({ tenantId }: Caller, author: RawBuilder<unknown>, places: readonly Places[]): Branch {
  const seen = places.map(({ where }) => sql`(${where})`)
  return {
    from: sql`follow f cross join lateral (select 1 from follow_place p
      where p.tenant_id = f.tenant_id and p.id = f.id and (${sql.join(seen, sql` or `)}) limit 1) seen`,
    where: sql<boolean>`f.tenant_id = ${tenantId} and f.deleted_at is null and f.author_id ${author}`,
  }
}

/** Maximum number of follow-ups with a keyword that are checked one by one. With more of them, the caller's own feed soon contains some. */
const MAX_MATCHES = 5000

/** Searches the feed for a keyword: a rare keyword by the search index, any other one while scanning what the caller sees. */
async function followsWith(
  ctx: CallContext,
  sorts: readonly SortBy[],
  keyword: string,
): Promise<Branches | null> {
  const { caller, trx } = ctx
  const bigrams = grams(keyword, 2)
  const known = bigrams.every((gram) => Array.from(gram).length === 2)
  const holders = sql<{
    id: string
  }>`select h.id from follow h where h.tenant_id = ${caller.tenantId} and h.deleted_at is null
    and crm_pieces(h.content) @> ${bigrams}::text[] and position(${keyword} in h.content) > 0 limit ${MAX_MATCHES + 1}`
  const { rows } = known ? await holders.execute(trx) : { rows: [] }
  if (!known || rows.length > MAX_MATCHES) return followBranches(ctx, 'all', sorts)
  const ids = rows.map(({ id }) => id)
  const where = sql<boolean>`(f.id = any(${ids}::text[]) and ${isFollowSeen(ctx, 'f')})`
  return { each: [{ from: sql`follow f`, where }] }
}

/** Follow-ups joined with the data the API returns beside them. @param rows  the table, or those just created */
export const followsFrom = (rows: 'follow' | 'made') => sql`${sql.table(rows)} f
  left join membership m on m.tenant_id = f.tenant_id and m.user_id = f.author_id
  left join customer c on c.tenant_id = f.tenant_id and c.id = f.customer_id
  left join lead l on l.tenant_id = f.tenant_id and l.id = f.lead_id`
export const FOLLOW_FROM = followsFrom('follow')
/** The columns of a follow-up that the API returns, with author and customer. */
export const followColumns = (
  caller: Caller,
) => sql`f.id, f.target_type, f.target_id, f.customer_id, c.name as customer_name, f.author_id,
  case when f.customer_id is null then l.name end as lead_name, f.record_module,
  (select o.title from record o where o.tenant_id = f.tenant_id and o.module = f.record_module and o.id = f.record_id) as record_title,
  m.name as author_name, m.avatar, f.method, f.content, f.result, f.followed_at, f.next_follow_at, f.next_plan,
  f.images, f.files, f.location, f.comment_count, ${likeColumns(caller, 'f')}, f.created_at, f.version, f.contact_ids,
  ${isFollowInPool('f')} as in_pool,
  f.created_at - f.followed_at > interval '1 hour' as late`

const searchedFilter = (column: 'content' | 'next_plan'): FilterField => ({
  kind: 'text',
  column,
  value: (row, { caller }) => searchedText(caller, row, column),
})

/** The feed of follow-ups, newest first (DOMAIN 1.10, 1.15). */
export const FOLLOW_LIST: ListSpec = {
  entity: 'follow',
  row: 'f',
  table: sql`follow f`,
  from: () => FOLLOW_FROM,
  columns: ({ caller }) => followColumns(caller),
  visible: (ctx) => isFollowSeen(ctx, 'f'),
  scoped: 'team',
  branches: followBranches,
  found: followsWith,
  filters: {
    customer_id: { kind: 'code', column: 'customer_id' },
    content: searchedFilter('content'),
    next_plan: searchedFilter('next_plan'),
    created_at: { kind: 'moment', column: 'created_at' },
  },
  sorts: {
    followed_at: { column: 'followed_at', type: 'timestamptz', nullable: false },
    created_at: { column: 'created_at', type: 'timestamptz', nullable: false },
  },
  defaultSort: [{ by: { column: 'followed_at', type: 'timestamptz', nullable: false }, dir: 'desc' }],
  tabs: {
    all: { where: () => sql<boolean>`true` },
    mine: { where: ({ caller }) => sql<boolean>`f.author_id = ${caller.userId}` },
    team: {
      where: ({ caller }) => {
        const team = caller.reach?.team
        if (team === undefined || team === null)
          return sql<boolean>`(f.author_id <> ${caller.userId}
            and f.author_id = any(array(${membersInScope(caller, 'customer')})))`
        const others = team.filter((id) => id !== caller.userId)
        return others.length === 0 ? sql<boolean>`false` : sql<boolean>`f.author_id = any(${others}::text[])`
      },
    },
  },
  defaultTab: 'all',
  // The text alone is tested first: masking it takes longer.
  keyword: (keyword, { caller }) => sql<boolean>`(position(${keyword} in f.content) > 0
    and position(${keyword} in ${searchedText(caller, 'f', 'content')}) > 0)`,
  stat: (ctx, stat) => statCondition(ctx, stat, 'follow', 'f'),
}
