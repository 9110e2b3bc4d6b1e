import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../../contract/list.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { poolActions } from '../../kernel/calls/pool-actions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { type Branches, isMirrored } from '../../kernel/lists/branches.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import type { SortBy } from '../../kernel/lists/keyset.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { momentSort } from '../../kernel/lists/owned-list.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks } from '../../kernel/visibility/masking.ts'
import { isInPools } from '../../kernel/visibility/predicate.ts'
import {
  BY_ENTRY,
  type ClaimableRow,
  type ClaimWait,
  claimableFrom,
  leftAt,
  POOL_FILTERS,
  poolTabs,
} from './pool-parts.ts'

/** What each entity adds to the cards and filters of its pools (DOMAIN 1.2.5). */
interface PoolPart {
  readonly columns: RawBuilder<unknown>
  readonly joins: RawBuilder<unknown>
  readonly filters: FilterFields
  /** "高级别": most worth claiming. */
  readonly high: RawBuilder<boolean>
  readonly numberColumn?: string
}

const PARTS: Readonly<Record<PoolEntity, PoolPart>> = {
  customer: {
    columns: sql`r.region, r.industry, r.level, r.source, r.deal_status, r.mobile, r.telephone,
      coalesce(p.mobile, p.telephone) as contact_mobile,
      (select count(*) from contact k where k.tenant_id = r.tenant_id and k.customer_id = r.id and k.deleted_at is null) as contacts_count`,
    joins: sql`left join contact p on p.tenant_id = r.tenant_id and p.id = r.primary_contact_id and p.deleted_at is null`,
    filters: {
      industry: { kind: 'codes', column: 'industry_path' },
      deal_status: { kind: 'number', column: 'deal_status' },
    },
    high: sql<boolean>`r.level in ('A', 'B')`,
    numberColumn: 'customer_no',
  },
  lead: {
    columns: sql`r.region, r.industry, r.level, r.source, r.status, r.company, r.score, r.contact_name,
      coalesce(r.mobile, r.telephone) as mobile`,
    joins: sql``,
    filters: { status: { kind: 'number', column: 'status' } },
    high: sql<boolean>`r.level = 'hot'`,
  },
  bussiness: {
    columns: sql`r.customer_id, c.name as customer_name, r.amount, r.flow_id, r.stage_id, r.win_rate, r.expected_date,
      r.type, c.region`,
    joins: sql`left join customer c on c.tenant_id = r.tenant_id and c.id = r.customer_id`,
    filters: {
      status: { kind: 'number', column: 'status' },
      region: { kind: 'codes', column: 'region', row: 'c' },
    },
    high: sql<boolean>`r.win_rate >= 50`,
    numberColumn: 'bussiness_no',
  },
}

/** The list of the records in pools of an entity (DOMAIN 1.2.5). @param pools  ids of pools the caller belongs to */
export const poolListSpec = (entity: PoolEntity, pools: readonly string[], ctx: CallContext): ListSpec => ({
  ...describedList(POOL_LISTS[entity], ctx),
  visible: ({ caller }) => isInPools(caller, 'r', pools),
  branches: ({ caller }, _tab, sorts, filters) => poolBranches(entity, pools, sorts, caller, filters),
})

/** The parts that do not depend on the caller. */
function listOf(entity: PoolEntity): ListSpec {
  const part = PARTS[entity]
  const tabs = poolTabs(entity)
  return {
    entity,
    pooled: true,
    row: 'r',
    from: () => sql`${sql.table(entity)} r
      left join membership w on w.tenant_id = r.tenant_id and w.user_id = r.prev_owner_id ${part.joins}`,
    columns: ({
      caller,
    }) => sql`r.id, r.name, r.owner_id, r.pool_id, r.pool_entered_at, r.pool_reason, r.pool_times,
      w.name as prev_owner_name, r.last_follow_at, r.last_follow_content, r.created_at, ${part.columns},
      ${leftAt(entity, caller)}, ${poolMasks('r')}`,
    visible: ({ caller }) => isInPools(caller, 'r', []),
    filters: {
      ...part.filters,
      ...POOL_FILTERS,
      last_follow_at: { kind: 'moment', column: 'last_follow_at' },
      created_at: { kind: 'moment', column: 'created_at' },
    },
    sorts: {
      pool_entered_at: BY_ENTRY,
      last_follow_at: momentSort('last_follow_at', true),
      created_at: momentSort('created_at', false),
      name: { column: 'py', type: 'text', nullable: false },
    },
    defaultSort: [{ by: BY_ENTRY, dir: 'desc' }],
    tabs: {
      all: tabs.all,
      today: tabs.today,
      never_followed: { where: () => sql<boolean>`r.last_follow_at is null` },
      returned: tabs.returned,
      high: { where: () => part.high },
    },
    defaultTab: 'all',
    keyword: (keyword, { caller }) =>
      keywordCondition(
        'r',
        keyword,
        part.numberColumn,
        entity === 'bussiness' ? undefined : clearPhones(caller, entity, 'r'),
      ),
  }
}

/** Lists of the pools, by entity. */
export const POOL_LISTS: Readonly<Record<PoolEntity, ListSpec>> = {
  customer: listOf('customer'),
  lead: listOf('lead'),
  bussiness: listOf('bussiness'),
}

/** Each pool in the order of its indexes (migration 0270), merged. */
function poolBranches(
  entity: PoolEntity,
  pools: readonly string[],
  sorts: readonly SortBy[],
  caller: Caller,
  filters: readonly Filter[] = [],
): Branches | null {
  const [sort, ...more] = sorts
  if (sort === undefined || more.length > 0 || pools.length === 0 || isMirrored(sorts)) return null
  if (!POOL_ORDERS.includes(`${sort.by.column} ${sort.dir}`)) return null
  const { joins, filters: known } = PARTS[entity]
  const isJoined = filters.some(({ field }) => known[field]?.row !== undefined)
  const from = sql`${sql.table(entity)} r ${isJoined ? joins : sql``}`
  return { each: pools.map((id) => ({ from, where: isInPools(caller, 'r', [id]) })) }
}

const POOL_ORDERS = ['pool_entered_at desc', 'level asc', 'last_follow_at desc']

/** A row of a pool as the database gives it. */
export interface PoolRow extends MaskableRow, ClaimableRow {
  readonly id: string
}

/** The card of a record in a pool. @param waits by pool */
export function poolCard(
  entity: PoolEntity,
  row: PoolRow,
  waits: ReadonlyMap<string, ClaimWait>,
  ctx: CallContext,
): object {
  const { pool_masks: _masks, left_at: _left, owner_id: _owner, ...shown } = row
  return {
    ...wireRow(maskRow(shown, maskOf(ctx.caller, entity, row)), ctx.zone),
    claimable_at: claimableFrom(row, waits, ctx),
    actions: poolActions(ctx.caller, entity),
  }
}
