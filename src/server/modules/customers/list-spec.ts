import { sql } from 'kysely'
import { filled } from '../../kernel/lists/keyset.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import {
  OWNED_FILTERS,
  OWNED_SORTS,
  ownedBranches,
  ownedFound,
  ownedTabs,
  ownerAndStar,
} from '../../kernel/lists/owned-list.ts'
import { statCondition } from '../../kernel/lists/stat-rows.ts'
import { poolMasks } from '../../kernel/visibility/masking.ts'
import { isInScope, isVisible, isVisibleOwned, isWritable } from '../../kernel/visibility/predicate.ts'

/** The quick tabs of DOMAIN 1.1.4. */
const TABS: Readonly<Record<string, Tab>> = {
  ...ownedTabs('customer', 'c'),
  deal: { where: () => sql<boolean>`(c.owner_id is not null and c.deal_status = 1)` },
}

/** The list of customers that have an owner (DOMAIN 1.1.4). Those in a pool have their own list. */
export const CUSTOMER_LIST: ListSpec = {
  entity: 'customer',
  row: 'c',
  table: sql`customer c`,
  from: (ctx) => sql`customer c
    left join contact p on p.tenant_id = c.tenant_id and p.id = c.primary_contact_id and p.deleted_at is null
    ${ownerAndStar('customer', 'c', 'c', ctx)}`,
  columns: (
    { caller },
    isCounted,
  ) => sql`c.id, c.name, c.level, c.deal_status, c.lock_status, s.record_id is not null as starred,
    p.name as contact_name, c.mobile, c.telephone, coalesce(p.mobile, p.telephone) as contact_mobile, c.region,
    c.last_follow_at, c.last_follow_content, c.next_follow_at, c.expire_at, c.owner_id, o.name as owner_name,
    c.follow_status, c.created_at, c.tags, ${poolMasks('c')},
    ${isInScope(caller, 'customer', 'c')} as in_scope, ${isWritable(caller, 'customer', 'c')} as can_write,
    ${isCounted ? isVisible(caller, 'customer', 'c') : sql`true`} as visible`,
  visible: ({ caller }) => isVisibleOwned(caller, 'customer', 'c'),
  scoped: true,
  found: ownedFound('customer', 'c'),
  branches: ownedBranches('customer', 'c', ['deal'], {
    owner: ['level asc', 'level desc', 'owner_since desc', 'py asc', 'py desc'],
    dept: [],
  }),
  filters: {
    ...OWNED_FILTERS,
    industry: { kind: 'codes', column: 'industry_path' },
    deal_status: { kind: 'number', column: 'deal_status' },
  },
  sorts: {
    ...OWNED_SORTS,
    level: filled('level', 'text'),
    deal_amount: filled('deal_amount', 'numeric'),
  },
  defaultSort: [{ by: OWNED_SORTS.last_follow_at, dir: 'desc' }],
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
  stat: (ctx, stat) => statCondition(ctx, stat, 'customer', 'c'),
}
