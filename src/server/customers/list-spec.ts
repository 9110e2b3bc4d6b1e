import { sql } from 'kysely'
import { statCondition } from '../home/stat-rows.ts'
import type { FilterFields } from '../lists/filter-sql.ts'
import type { SortColumn } from '../lists/keyset.ts'
import {
  OWNED_FILTERS,
  OWNED_SORTS,
  ownedBranches,
  ownedFound,
  ownedTabs,
  ownerAndStar,
} from '../lists/owned-list.ts'
import type { ListSpec, Tab } from '../lists/run-list.ts'
import { clearPhones, keywordCondition } from '../search/keyword-condition.ts'
import { poolMasks } from '../visibility/masking.ts'
import { isInScope, isVisible, isVisibleOwned, isWritable } from '../visibility/predicate.ts'

const FILTERS: FilterFields = {
  ...OWNED_FILTERS,
  customer_no: { kind: 'text', column: 'customer_no' },
  mobile: { kind: 'text', column: 'mobile', maskedInPool: true },
  address: { kind: 'text', column: 'address' },
  level: { kind: 'code', column: 'level' },
  customer_type: { kind: 'code', column: 'customer_type' },
  industry: { kind: 'codes', column: 'industry_path' },
  source: { kind: 'code', column: 'source' },
  stage: { kind: 'code', column: 'stage' },
  scale: { kind: 'code', column: 'scale' },
  deal_status: { kind: 'number', column: 'deal_status' },
  deal_amount: { kind: 'number', column: 'deal_amount' },
  lock_status: { kind: 'flag', column: 'lock_status' },
  region: { kind: 'codes', column: 'region' },
  tags: { kind: 'codes', column: 'tags' },
  parent_id: { kind: 'code', column: 'parent_id' },
}

const SORTS = {
  ...OWNED_SORTS,
  level: { column: 'level', type: 'text', nullable: false },
  deal_amount: { column: 'deal_amount', type: 'numeric', nullable: false },
} as const satisfies Readonly<Record<string, SortColumn>>

/** The quick tabs of DOMAIN 1.1.4. */
const TABS: Readonly<Record<string, Tab>> = {
  ...ownedTabs('customer', 'c'),
  deal: { where: () => sql<boolean>`(c.owner_id is not null and c.deal_status = 1)` },
}

/** The list of customers that have an owner (DOMAIN 1.1.4); those in a pool have a list of their own. */
export const CUSTOMER_LIST: ListSpec = {
  entity: 'customer',
  row: 'c',
  table: sql`customer c`,
  from: (asking) => sql`customer c
    left join contact p on p.tenant_id = c.tenant_id and p.id = c.primary_contact_id and p.deleted_at is null
    ${ownerAndStar('customer', 'c', 'c', asking)}`,
  columns: ({
    caller,
  }) => sql`c.id, c.name, c.level, c.deal_status, c.lock_status, s.record_id is not null as starred,
    p.name as contact_name, coalesce(p.mobile, c.mobile, p.telephone, c.telephone) as mobile, c.region,
    c.last_follow_at, c.last_follow_content, c.next_follow_at, c.expire_at, c.owner_id, o.name as owner_name,
    c.follow_status, c.created_at, c.tags, ${poolMasks('c')},
    ${isInScope(caller, 'customer', 'c')} as in_scope, ${isWritable(caller, 'customer', 'c')} as can_write,
    ${isVisible(caller, 'customer', 'c')} as visible`,
  visible: ({ caller }) => isVisibleOwned(caller, 'customer', 'c'),
  scoped: true,
  found: ownedFound('customer', 'c'),
  branches: ownedBranches('customer', 'c', ['deal'], {
    owner: ['level asc', 'level desc', 'owner_since desc', 'py asc', 'py desc'],
    dept: [],
  }),
  filters: FILTERS,
  sorts: SORTS,
  defaultSort: [{ by: SORTS.last_follow_at, dir: 'desc' }],
  tabs: TABS,
  defaultTab: 'all',
  keyword: (
    keyword,
    { caller },
  ) => sql<boolean>`(${keywordCondition('c', keyword, 'customer_no', clearPhones(caller, 'customer', 'c'))}
    or (c.owner_id is not null and c.id = any(array(select k.customer_id from contact k
      where k.tenant_id = ${caller.tenantId} and k.deleted_at is null
        and ${keywordCondition('k', keyword, undefined, clearPhones(caller, 'contact'))}))))`,
  keywordOfRow: (
    keyword,
    { caller },
  ) => sql<boolean>`(${keywordCondition('c', keyword, 'customer_no', clearPhones(caller, 'customer', 'c'))}
    or (c.owner_id is not null and exists (select 1 from contact k
      where k.tenant_id = c.tenant_id and k.customer_id = c.id and k.deleted_at is null
        and ${keywordCondition('k', keyword, undefined, clearPhones(caller, 'contact'))})))`,
  stat: (asking, stat) => statCondition(asking, stat, 'customer', 'c'),
}
