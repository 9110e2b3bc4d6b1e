import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { poolActions } from '../../kernel/calls/pool-actions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Branches, isMirrored } from '../../kernel/lists/branches.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import type { SortBy, SortColumn } from '../../kernel/lists/keyset.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { isHeldBackInPools, ownKeyword, ownWords, withOwnWords } from '../../kernel/lists/own-words.ts'
import { starJoin } from '../../kernel/lists/owned-list.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isInPools } from '../../kernel/visibility/predicate.ts'
import { APPROVAL } from '../../modules/own-records/approval-state.ts'
import { refuseUnable } from '../../modules/own-records/behaviour.ts'
import { ownListSpec, ROW } from '../../modules/own-records/list-spec.ts'
import { findOwnInScope, type StoredRecord, wireRecords } from '../../modules/own-records/record.ts'
import { findInOwnPool, removeFromOwnPool } from '../../modules/own-records/recycle-bin.ts'
import type { PoolKind } from './pool-kind.ts'
import { BY_ENTRY, type ClaimableRow, claimableFrom, leftAt, POOL_FILTERS, poolTabs } from './pool-parts.ts'

/** Records of an own module in their pool. @throws Refusal 404 where its records lie in none */
export function ownPool(module: MergedModule): PoolKind {
  refuseUnable(module, 'pool')
  const entity = ownRights(module.name)
  return {
    entity,
    async ownerToRelease(id, _pool, ctx) {
      const found = await findOwnInScope(module, id, ctx, 'release')
      if (found.owner_id === null) refuse(409, 'STATE_CONFLICT', text('pool.in-pool'))
      if (found.approval_status === APPROVAL.running) refuse(409, 'STATE_CONFLICT', text('own.waiting'))
      return found.owner_id
    },
    hold: (id, ctx) => findInOwnPool(module, id, ctx),
    remove: (id, ctx) => removeFromOwnPool(module, id, ctx),
    list: (pools, ctx) => ownPoolList(module, pools, ctx),
    async page({ spec, request, part, waits }, ctx) {
      const page = await openList<PoolRow>(spec, request, ctx, part).page((row) => row)
      const rows = page.list as readonly PoolRow[]
      const records = await wireRecords(module, rows.map(recordOf), ctx, 'rows')
      const actions = poolActions(ctx.caller, entity)
      return {
        ...page,
        list: records.map((record, i) => ({
          ...record,
          ...placeOf(rows[i] as PoolRow, waits, ctx),
          actions,
        })),
      }
    },
  }
}

/** How a record came into its pool. */
interface Entry extends ClaimableRow {
  readonly pool_reason: string | null
  readonly pool_times: number
  readonly prev_owner_name: string | null
}
type PoolRow = StoredRecord & Entry

function recordOf(row: PoolRow): StoredRecord {
  const {
    pool_id: _,
    pool_entered_at: __,
    pool_reason: ___,
    pool_times: ____,
    prev_owner_name,
    left_at,
    ...record
  } = row
  return record
}

function placeOf(row: PoolRow, waits: Parameters<typeof claimableFrom>[1], ctx: CallContext): JsonObject {
  const { pool_id, pool_entered_at, pool_reason, pool_times, prev_owner_name } = row
  return {
    ...wireRow({ pool_id, pool_entered_at, pool_reason, pool_times, prev_owner_name }, ctx.zone),
    claimable_at: claimableFrom(row, waits, ctx),
  }
}

/** The list of a module without what only owners have, and without telling what pools mask. */
function ownPoolList(module: MergedModule, pools: readonly string[], { model }: CallContext): ListSpec {
  const rights = ownRights(module.name)
  const owned = ownListSpec(module, model)
  const { owner_id: _, owner_dept_id: __, ...filters } = owned.filters
  const maskedFields = module.fields.filter((field) => isHeldBackInPools(module, field))
  const isMasked = (name: string): boolean => maskedFields.some((field) => field.name === name)
  const sorts: Readonly<Record<string, SortColumn>> = {
    ...Object.fromEntries(Object.entries(owned.sorts).filter(([name]) => !isMasked(name))),
    pool_entered_at: BY_ENTRY,
  }
  const all: FilterFields = { ...filters, ...POOL_FILTERS }
  const byName = {
    keyword: (word: string, { caller }: CallContext) => ownKeyword(module, ROW, word, caller, isMasked),
  }
  const isStarred = module.behaviours.includes('star')
  return {
    ...owned,
    pooled: true,
    from: ({ caller }) => sql`${owned.table}
      left join membership w on w.tenant_id = r.tenant_id and w.user_id = r.prev_owner_id
      ${isStarred ? starJoin(rights, ROW, caller) : sql``}`,
    columns: ({ caller }) => sql`r.id, r.title, r.record_no, r.owner_id, null as owner_name, r.owner_dept_id,
      r.created_at, r.updated_at, r.created_by, r.version, r.approval_status, r.submitted_by, r.revision_no, r.ext,
      false as in_scope, false as can_write, ${isStarred ? sql`s.record_id is not null as starred,` : sql``}
      r.pool_id, r.pool_entered_at, r.pool_reason, r.pool_times, w.name as prev_owner_name, ${leftAt(rights, caller)}`,
    visible: ({ caller }) => isInPools(caller, ROW, pools),
    filters: all,
    sorts,
    defaultSort: [{ by: BY_ENTRY, dir: 'desc' }],
    tabs: poolTabs(rights),
    defaultTab: 'all',
    ...byName,
    ...withOwnWords(byName, ownWords(module, model, ROW, rights)),
    branches: ({ caller }, _tab, sorts) =>
      branchesOf(owned, pools, sorts, (id) => isInPools(caller, ROW, [id])),
  }
}

/** Each pool in the order its index holds, merged. */
function branchesOf(
  { table = sql`` }: ListSpec,
  pools: readonly string[],
  sorts: readonly SortBy[],
  isIn: (pool: string) => ReturnType<typeof isInPools>,
): Branches | null {
  const [sort, ...more] = sorts
  const isHeld = sort?.by.column === 'pool_entered_at' && sort.dir === 'desc' && more.length === 0
  if (!isHeld || pools.length === 0 || isMirrored(sorts)) return null
  return { each: pools.map((id) => ({ from: table, where: isIn(id) })) }
}
