import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import { statCondition } from '../home/stat-rows.ts'
import type { Branches } from '../lists/branches.ts'
import type { ListSpec } from '../lists/run-list.ts'
import type { Asking } from '../records/asking.ts'
import { isVisible, membersInScope } from '../visibility/predicate.ts'

/** What a follow-up hangs on. */
const FOLLOWED = ['customer', 'lead', 'bussiness', 'contract'] as const

/** Who sees a follow-up: whoever sees one of the records it hangs on (CRM 1.10). */
export function isFollowVisible(caller: Caller, row: string): RawBuilder<boolean> {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  const ways = FOLLOWED.map(
    (entity) => sql`exists (select 1 from ${sql.table(entity)} seen where seen.id = ${at(`${entity}_id`)}
      and ${isVisible(caller, entity, 'seen')})`,
  )
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('deleted_at')} is null
    and (${sql.join(ways, sql` or `)}))`
}

/** The same rule taken apart by what a follow-up hangs on. */
function followBranches({ caller }: Asking): Branches {
  const each = FOLLOWED.map((entity) => ({
    from: sql`follow f join ${sql.table(entity)} seen on seen.tenant_id = f.tenant_id and seen.id = ${sql.ref(`f.${entity}_id`)}`,
    where: sql<boolean>`(f.tenant_id = ${caller.tenantId} and f.deleted_at is null
      and ${sql.ref(`f.${entity}_id`)} is not null and ${isVisible(caller, entity, 'seen')})`,
  }))
  return { each, overlap: true }
}

/** Columns of a follow-up on the wire, with the author and the customer. */
export const FOLLOW_FROM = sql`follow f
  left join membership m on m.tenant_id = f.tenant_id and m.user_id = f.author_id
  left join customer c on c.tenant_id = f.tenant_id and c.id = f.customer_id
  left join lead l on l.tenant_id = f.tenant_id and l.id = f.lead_id`
export const FOLLOW_COLUMNS = sql`f.id, f.target_type, f.target_id, f.customer_id, c.name as customer_name, f.author_id,
  m.name as author_name, m.avatar, f.method, f.content, f.result, f.followed_at, f.next_follow_at, f.next_plan,
  f.images, f.files, f.location, f.comment_count, f.created_at, f.version, f.contact_ids,
  (c.id is not null and c.owner_id is null) or (c.id is null and l.id is not null and l.owner_id is null) as in_pool,
  f.created_at - f.followed_at > interval '1 hour' as late`

/** The feed of follow-ups, newest first (CRM 1.10, 1.15). */
export const FOLLOW_LIST: ListSpec = {
  entity: 'follow',
  row: 'f',
  from: () => FOLLOW_FROM,
  columns: () => FOLLOW_COLUMNS,
  visible: ({ caller }) => isFollowVisible(caller, 'f'),
  scoped: true,
  branches: followBranches,
  filters: {
    author_id: { kind: 'code', column: 'author_id' },
    method: { kind: 'code', column: 'method' },
    result: { kind: 'code', column: 'result' },
    target_type: { kind: 'code', column: 'target_type' },
    customer_id: { kind: 'code', column: 'customer_id' },
    content: { kind: 'text', column: 'content' },
    followed_at: { kind: 'moment', column: 'followed_at' },
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
  keyword: (keyword) => sql<boolean>`position(${keyword} in f.content) > 0`,
  stat: (asking, stat) => statCondition(asking, stat, 'follow', 'f'),
}
