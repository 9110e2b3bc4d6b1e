import { sql } from 'kysely'
import { statCondition } from '../home/stat-rows.ts'
import type { FilterFields } from '../lists/filter-sql.ts'
import type { SortBy, SortColumn } from '../lists/keyset.ts'
import type { ListSpec, Tab } from '../lists/run-list.ts'
import { instantOf, startOfDay, wallTimeOf } from '../lists/zone.ts'
import type { Asking } from '../records/asking.ts'
import { keywordCondition } from '../search/keyword-condition.ts'
import { isInScope, isVisible, isWritable } from '../visibility/predicate.ts'

const FILTERS: FilterFields = {
  name: { kind: 'text', column: 'name' },
  customer_no: { kind: 'text', column: 'customer_no' },
  mobile: { kind: 'text', column: 'mobile' },
  address: { kind: 'text', column: 'address' },
  level: { kind: 'code', column: 'level' },
  customer_type: { kind: 'code', column: 'customer_type' },
  industry: { kind: 'codes', column: 'industry_path' },
  source: { kind: 'code', column: 'source' },
  stage: { kind: 'code', column: 'stage' },
  scale: { kind: 'code', column: 'scale' },
  follow_status: { kind: 'code', column: 'follow_status' },
  obtain_way: { kind: 'code', column: 'obtain_way' },
  deal_status: { kind: 'number', column: 'deal_status' },
  deal_amount: { kind: 'number', column: 'deal_amount' },
  pool_times: { kind: 'number', column: 'pool_times' },
  lock_status: { kind: 'flag', column: 'lock_status' },
  region: { kind: 'codes', column: 'region' },
  tags: { kind: 'codes', column: 'tags' },
  owner_id: { kind: 'code', column: 'owner_id' },
  owner_dept_id: { kind: 'code', column: 'owner_dept_id' },
  parent_id: { kind: 'code', column: 'parent_id' },
  created_by: { kind: 'code', column: 'created_by' },
  created_at: { kind: 'moment', column: 'created_at' },
  last_follow_at: { kind: 'moment', column: 'last_follow_at' },
  next_follow_at: { kind: 'moment', column: 'next_follow_at' },
  owner_since: { kind: 'moment', column: 'owner_since' },
  expire_at: { kind: 'moment', column: 'expire_at' },
}

const moment = (column: string, nullable: boolean): SortColumn => ({ column, type: 'timestamptz', nullable })
const SORTS = {
  last_follow_at: moment('last_follow_at', true),
  created_at: moment('created_at', false),
  next_follow_at: moment('next_follow_at', true),
  owner_since: moment('owner_since', true),
  expire_at: moment('expire_at', true),
  level: { column: 'level', type: 'text', nullable: false },
  py: { column: 'py', type: 'text', nullable: false },
  name: { column: 'py', type: 'text', nullable: false },
  deal_amount: { column: 'deal_amount', type: 'numeric', nullable: false },
} as const satisfies Readonly<Record<string, SortColumn>>

const BY_NEXT: readonly SortBy[] = [{ by: SORTS.next_follow_at, dir: 'asc' }]
const BY_EXPIRY: readonly SortBy[] = [{ by: SORTS.expire_at, dir: 'asc' }]

const owned = sql<boolean>`c.owner_id is not null`
const mine = ({ caller }: Asking) => sql<boolean>`c.owner_id = ${caller.userId}`
const dayStart = ({ now, zone }: Asking, days: number) =>
  instantOf(startOfDay(wallTimeOf(now, zone), days), zone)

/** Ids of the records the caller marked or opened, from a table keyed by user. */
const marked = (table: 'star' | 'recent_view', { caller }: Asking) =>
  sql`select record_id from ${sql.table(table)} where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and entity = 'customer'`

/** The quick tabs of CRM 1.1.4. A forgotten one was not followed for 7 days since its owner has it. */
const TABS: Readonly<Record<string, Tab>> = {
  all: { where: () => owned },
  mine: { where: mine },
  collaborating: {
    where: ({
      caller,
    }) => sql<boolean>`(c.owner_id is not null and c.id = any(array(select record_id from collaborator
      where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and entity = 'customer'
        and (expire_at is null or expire_at > now()))))`,
  },
  subordinate: {
    where: (asking) =>
      sql<boolean>`(c.owner_id <> ${asking.caller.userId} and ${isInScope(asking.caller, 'customer', 'c')})`,
  },
  starred: {
    where: (asking) =>
      sql<boolean>`(c.owner_id is not null and c.id = any(array(${marked('star', asking)})))`,
  },
  today: {
    where: (asking) =>
      sql<boolean>`(${mine(asking)} and c.next_follow_at >= ${dayStart(asking, 0)} and c.next_follow_at < ${dayStart(asking, 1)})`,
    sort: BY_NEXT,
  },
  overdue: {
    where: (asking) => sql<boolean>`(${mine(asking)} and c.next_follow_at < ${asking.now})`,
    sort: BY_NEXT,
  },
  unfollowed7: {
    where: (asking) =>
      sql<boolean>`(${mine(asking)} and greatest(c.last_follow_at, c.owner_since) < ${dayStart(asking, -7)})`,
  },
  recycling: {
    where: (asking) =>
      sql<boolean>`(${mine(asking)} and c.expire_at < ${new Date(asking.now.getTime() + REMIND_MS)})`,
    sort: BY_EXPIRY,
  },
  deal: { where: () => sql<boolean>`(c.owner_id is not null and c.deal_status = 1)` },
  recent: {
    where: (asking) =>
      sql<boolean>`(c.owner_id is not null and c.id = any(array(${marked('recent_view', asking)} order by viewed_at desc limit 50)))`,
  },
}

/** "即将回收": within the three days of the default reminder (CRM 1.2.1 remind_days). */
const REMIND_MS = 3 * 86_400_000

/** The list of customers that have an owner (CRM 1.1.4); those in a pool have a list of their own. */
export const CUSTOMER_LIST: ListSpec = {
  entity: 'customer',
  row: 'c',
  from: ({ caller }) => sql`customer c
    left join contact p on p.tenant_id = c.tenant_id and p.id = c.primary_contact_id and p.deleted_at is null
    left join membership o on o.tenant_id = c.tenant_id and o.user_id = c.owner_id
    left join star s on s.tenant_id = c.tenant_id and s.user_id = ${caller.userId} and s.entity = 'customer' and s.record_id = c.id`,
  columns: ({
    caller,
  }) => sql`c.id, c.name, c.level, c.deal_status, c.lock_status, s.record_id is not null as starred,
    p.name as contact_name, coalesce(p.mobile, c.mobile, p.telephone, c.telephone) as mobile, c.region,
    c.last_follow_at, c.last_follow_content, c.next_follow_at, c.expire_at, c.owner_id, o.name as owner_name,
    c.follow_status, c.created_at, c.tags,
    ${isInScope(caller, 'customer', 'c')} as in_scope, ${isWritable(caller, 'customer', 'c')} as can_write,
    ${isVisible(caller, 'customer', 'c')} as visible`,
  visible: ({ caller }) => isVisible(caller, 'customer', 'c'),
  filters: FILTERS,
  sorts: SORTS,
  defaultSort: [{ by: SORTS.last_follow_at, dir: 'desc' }],
  tabs: TABS,
  defaultTab: 'all',
  keyword: (keyword, { caller }) => sql<boolean>`(${keywordCondition('c', keyword, 'customer_no')}
    or c.id = any(array(select k.customer_id from contact k
      where k.tenant_id = ${caller.tenantId} and k.deleted_at is null and ${keywordCondition('k', keyword)})))`,
  stat: (asking, stat) => statCondition(asking, stat, 'customer', 'c'),
}
