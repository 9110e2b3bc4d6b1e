import { sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { extFilter, extSort, extValue } from '../../kernel/lists/ext-sql.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import type { SortColumn } from '../../kernel/lists/keyset.ts'
import { keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec, Tab } from '../../kernel/lists/run-list.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'
import { isOwn } from '../../kernel/visibility/predicate.ts'

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
const COMMON_SORTS = {
  created_at: { column: 'created_at', type: 'timestamptz', nullable: false },
  updated_at: { column: 'updated_at', type: 'timestamptz', nullable: false },
  py: { column: 'py', type: 'text', nullable: false },
} as const satisfies Readonly<Record<string, SortColumn>>

/** Fields that can be filtered: those that say so, the status, and what the lists of other records ask by. */
const isFiltered = (module: MergedModule, { name, filter, inverse }: Field): boolean =>
  filter === true || module.statuses?.field === name || inverse !== undefined

/** The list of a module of a tenant's own, worked out from its description. */
export function ownListSpec(module: MergedModule): ListSpec {
  const rights = ownRights(module.name)
  const isOwned = module.behaviours.includes('owned')
  const sorts: Readonly<Record<string, SortColumn>> = {
    ...COMMON_SORTS,
    ...Object.fromEntries(
      module.fields.filter(({ sort }) => sort).map((field) => [field.name, extSort(field)]),
    ),
  }
  const [by = 'created_at', dir = 'desc'] = (module.defaultSort ?? '').split(' ').filter(Boolean)
  const visible = ({ caller }: Asking) => isOwnVisible(caller, module, ROW)
  return {
    entity: rights,
    row: ROW,
    table: sql`record r`,
    from: () => sql`record r left join membership o on o.tenant_id = r.tenant_id and o.user_id = r.owner_id`,
    columns:
      () => sql`r.id, r.title, r.record_no, r.owner_id, o.name as owner_name, r.owner_dept_id, r.created_at,
      r.updated_at, r.created_by, r.version, r.ext`,
    visible,
    filters: {
      ...COMMON_FILTERS,
      ...Object.fromEntries(
        module.fields
          .filter((field) => isFiltered(module, field))
          .map((field) => [field.name, extFilter(field)]),
      ),
    },
    sorts,
    defaultSort: [{ by: sorts[by] ?? COMMON_SORTS.created_at, dir: dir === 'asc' ? 'asc' : 'desc' }],
    tabs: { all: { where: () => sql<boolean>`true` }, ...(isOwned ? OWNED_TABS : {}), ...statusTabs(module) },
    defaultTab: 'all',
    keyword: (keyword) => keywordCondition(ROW, keyword, 'record_no'),
  }
}

const OWNED_TABS: Readonly<Record<string, Tab>> = { mine: { where: ({ caller }) => isOwn(caller, ROW) } }

/** A tab for each status: `status_<value>`. */
function statusTabs({ statuses, fields }: MergedModule): Readonly<Record<string, Tab>> {
  const field = fields.find(({ name }) => name === statuses?.field)
  return Object.fromEntries(
    (field?.options ?? []).map(({ value }) => [
      `status_${value}`,
      { where: ({ zone }: Asking) => sql<boolean>`${extValue(ROW, field as Field, zone)} = ${value}` },
    ]),
  )
}
