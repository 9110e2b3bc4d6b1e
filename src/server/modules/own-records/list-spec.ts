import { type RawBuilder, sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, scopeOf } from '../../kernel/auth/caller.ts'
import { type OwnRights, ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Branches, isMirrored, type PartSorts, partBranches } from '../../kernel/lists/branches.ts'
import { extFilter, extSort, type MirrorsOf, mirrorsOf } from '../../kernel/lists/ext-sql.ts'
import { type FilterFields, filterCondition } from '../../kernel/lists/filter-sql.ts'
import type { SortBy, SortColumn } from '../../kernel/lists/keyset.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { isHeldBackInPools, ownKeyword, ownWords, withOwnWords } from '../../kernel/lists/own-words.ts'
import { isExpiring, isMarked, OWNED_SORTS, starJoin } from '../../kernel/lists/owned-list.ts'
import {
  isOwnInScope,
  isOwnVisible,
  isOwnWritable,
  ownModuleParts,
} from '../../kernel/visibility/own-module.ts'
import { singlePart } from '../../kernel/visibility/owned-parts.ts'
import { isInScope, isLive, isOwn, isShared } from '../../kernel/visibility/predicate.ts'

/** The alias of `record` in the lists of own modules. */
export const ROW = 'r'

const COMMON_FILTERS: FilterFields = {
  title: { kind: 'text', column: 'title' },
  record_no: { kind: 'text', column: 'record_no' },
  owner_id: { kind: 'code', column: 'owner_id' },
  owner_dept_id: { kind: 'code', column: 'owner_dept_id' },
  created_by: { kind: 'code', column: 'created_by' },
  created_at: { kind: 'moment', column: 'created_at' },
  updated_at: { kind: 'moment', column: 'updated_at' },
}
const APPROVAL_FILTERS: FilterFields = { approval_status: { kind: 'number', column: 'approval_status' } }
const COMMON_SORTS = {
  created_at: { column: 'created_at', type: 'timestamptz', nullable: false },
  updated_at: { column: 'updated_at', type: 'timestamptz', nullable: false },
  py: { column: 'py', type: 'text', nullable: false },
} as const satisfies Readonly<Record<string, SortColumn>>

/** Fields that can be filtered: those marked as filters, the status, and the fields that related lists filter by. */
const isFiltered = (module: MergedModule, { name, filter, inverse }: Field): boolean =>
  filter === true || module.statuses?.field === name || inverse !== undefined

/** The list of an own module, derived from its description. */
export function ownListSpec(
  module: MergedModule,
  model: CallContext['model'],
  mirrors: MirrorsOf = mirrorsOf(module.name, model),
): ListSpec {
  const rights = ownRights(module.name)
  const isOwned = module.behaviours.includes('owned')
  const isStarred = module.behaviours.includes('star')
  const isTeamed = module.behaviours.includes('team')
  const sorts: Readonly<Record<string, SortColumn>> = {
    ...COMMON_SORTS,
    ...Object.fromEntries(
      module.fields.filter(({ sort }) => sort).map((field) => [field.name, extSort(field, mirrors)]),
    ),
  }
  const [by = 'created_at', dir = 'desc'] = (module.defaultSort ?? '').split(' ').filter(Boolean)
  const visible = ({ caller }: CallContext) => isOwnVisible(caller, module, ROW)
  const table = recordsOf(module)
  const filters: FilterFields = {
    ...COMMON_FILTERS,
    ...(module.approval === undefined ? {} : APPROVAL_FILTERS),
    ...Object.fromEntries(
      module.fields
        .filter((field) => isFiltered(module, field))
        .map((field) => {
          const filter = extFilter(field, mirrors)
          return [field.name, isHeldBackInPools(module, field) ? { ...filter, maskedInPool: true } : filter]
        }),
    ),
  }
  const byName = {
    keyword: (word: string, { caller }: CallContext) => ownKeyword(module, ROW, word, caller),
  }
  const keyword = { ...byName, ...withOwnWords(byName, ownWords(module, model, ROW, rights)) }
  return {
    entity: rights,
    row: ROW,
    table,
    from: ({
      caller,
    }) => sql`${table} left join membership o on o.tenant_id = r.tenant_id and o.user_id = r.owner_id
      ${isStarred ? starJoin(rights, ROW, caller) : sql``}`,
    columns: ({
      caller,
    }) => sql`r.id, r.title, r.record_no, r.owner_id, o.name as owner_name, r.owner_dept_id, r.created_at,
      r.updated_at, r.created_by, r.version, r.approval_status, r.submitted_by, r.revision_no, r.ext, ${permissionColumns(module, caller)}
      ${isStarred ? sql`, s.record_id is not null as starred` : sql``}
      ${module.behaviours.includes('pool') ? sql`, r.expire_at` : sql``}`,
    visible,
    filters,
    sorts,
    defaultSort: [{ by: sorts[by] ?? COMMON_SORTS.created_at, dir: dir === 'asc' ? 'asc' : 'desc' }],
    tabs: {
      all: { where: () => sql<boolean>`true` },
      ...(isOwned ? ownedTabs(rights) : {}),
      ...(isTeamed
        ? { collaborating: { where: ({ caller }: CallContext) => isSharedNow(rights, caller) } }
        : {}),
      ...(isStarred ? { starred: { where: (ctx: CallContext) => isMarked(rights, ROW, ctx) } } : {}),
      ...(module.behaviours.includes('pool') ? { recycling: RECYCLING } : {}),
      ...statusTabs(module, filters),
    },
    defaultTab: 'all',
    ...keyword,
    scoped: true,
    branches: (ctx, tab, sorts) => ownBranches(module, table, ctx, tab, sorts),
  }
}

/** Columns that decide the caller's actions. Without sharing and pools, whoever sees a record may work with it. */
export const permissionColumns = (module: MergedModule, caller: Caller): RawBuilder<unknown> =>
  module.behaviours.includes('team') || module.behaviours.includes('pool')
    ? sql`coalesce(${isOwnInScope(caller, module, ROW)}, false) as in_scope,
        coalesce(${isOwnWritable(caller, module, ROW)}, false) as can_write`
    : sql`true as in_scope, true as can_write`

/** Records that are shared with the caller. */
const isSharedNow = (rights: OwnRights, caller: Caller): RawBuilder<boolean> =>
  sql<boolean>`(r.owner_id is not null and ${isShared(caller, rights, ROW, ['read', 'write'])})`

/** The records of one module. The module name is the first column of every index of the table. */
const recordsOf = ({ name }: MergedModule) =>
  sql`(select r.* from record r where r.module = ${sql.lit(name)}) r`

/** The sorts that the indexes by owner and by department provide (migration 0400). */
const SORTS = ['created_at desc', 'created_at asc']
const HELD: PartSorts = { owner: SORTS, dept: SORTS }

/** The list split into branches by owner and department. A status tab is one query. */
function ownBranches(
  module: MergedModule,
  table: RawBuilder<unknown>,
  { caller }: CallContext,
  tab: string,
  sorts: readonly SortBy[],
): Branches | null {
  const isOwned = module.behaviours.includes('owned')
  const live = sql<boolean>`(${isLive(caller, ROW)} and r.module = ${module.name})`
  if (tab === 'mine' || tab === 'recycling') {
    const mine = sql<boolean>`(${live} and r.owner_id = ${caller.userId})`
    const parts = partBranches([singlePart(caller, caller.userId, mine)], ROW, table, sorts, HELD)
    return tab === 'mine' || isMirrored(sorts) ? parts : { each: [{ from: table, where: mine }], isOwn: true }
  }
  if (tab !== 'all' && tab !== 'team') return null
  if (!isOwned || scopeOf(caller, ownRights(module.name)) === 'all')
    return partBranches(
      [singlePart(caller, null, isOwnVisible(caller, module, ROW))],
      ROW,
      table,
      sorts,
      HELD,
    )
  const areTab = tab === 'team'
  const parts = ownModuleParts(caller, module, ROW, { id: 'id', live })
  const wanted = areTab ? parts?.filter(({ hasOthers, by }) => hasOthers && by !== 'id') : parts
  const branches = partBranches(wanted ?? null, ROW, table, sorts, HELD)
  return branches && { ...branches, areTab }
}

/** The tabs of the caller's own records, and of those of others within the caller's scope. */
const ownedTabs = (rights: OwnRights): Readonly<Record<string, Tab>> => ({
  mine: { where: ({ caller }) => isOwn(caller, ROW) },
  team: {
    where: ({ caller }) =>
      sql<boolean>`(r.owner_id <> ${caller.userId} and ${isInScope(caller, rights, ROW)})`,
  },
})

/** The caller's own records that return to their pool soon, the earliest first. */
const RECYCLING: Tab = {
  where: (ctx) =>
    sql<boolean>`(${isOwn(ctx.caller, ROW)} and r.expire_at is not null and ${isExpiring(ctx, ROW)})`,
  sort: [{ by: OWNED_SORTS.expire_at, dir: 'asc' }],
}

/** A tab per status: `status_<value>`. */
function statusTabs(
  { statuses, fields }: MergedModule,
  filters: FilterFields,
): Readonly<Record<string, Tab>> {
  const field = fields.find(({ name }) => name === statuses?.field)
  return Object.fromEntries(
    (field?.options ?? []).map(({ value }) => [
      `status_${value}`,
      {
        by: field?.name ?? '',
        where: ({ now, zone, caller }: CallContext) =>
          filterCondition({ field: field?.name ?? '', op: 'eq', value }, filters, {
            row: ROW,
            now,
            zone,
            caller,
            isHeld: true,
          }),
      },
    ]),
  )
}
