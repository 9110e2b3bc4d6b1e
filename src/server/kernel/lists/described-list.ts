import { extName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../context/call-context.ts'
import { extFilter, extSort, mirrorsOf } from './ext-sql.ts'
import { filterKindOf } from './filter-kind.ts'
import type { FilterField, FilterFields } from './filter-sql.ts'
import type { SortColumn } from './keyset.ts'
import type { ListSpec } from './list-spec.ts'
import { isHeldBackInPools, ownWords, withOwnWords } from './own-words.ts'

/** Lists by module description: computed once, and again only if the description changes. */
const described = new WeakMap<MergedModule, WeakMap<ListSpec, ListSpec>>()

/**
 * A list with the filters and sorts of its module's description: its own fields by name, those of the tenant as `ext.<name>`. The list's own
 * definition takes precedence and contains only what SQL must know: columns of other tables, columns with another name, columns that are never null.
 */
export function describedList(spec: ListSpec, { model }: Pick<CallContext, 'model'>): ListSpec {
  const module = model.modules.get(spec.entity)
  if (module === undefined) return spec
  const lists = described.get(module) ?? new WeakMap<ListSpec, ListSpec>()
  described.set(module, lists)
  const list = lists.get(spec) ?? withDescribed(spec, module, model)
  lists.set(spec, list)
  return list
}

function withDescribed(spec: ListSpec, module: MergedModule, model: CallContext['model']): ListSpec {
  const mirrors = mirrorsOf(module.name, model)
  const isHeldBack = (field: MergedField) => isHeldBackInPools(module, field)
  const filters: FilterFields = Object.fromEntries(
    module.fields.filter(isFiltered).map((field): [string, FilterField] => {
      const filter = field.origin === 'tenant' ? extFilter(field, mirrors) : columnFilter(field)
      return [nameOf(field), isHeldBack(field) ? { ...filter, maskedInPool: true } : filter]
    }),
  )
  const sorts: Readonly<Record<string, SortColumn>> = Object.fromEntries(
    module.fields
      // The order of rows would reveal masked values.
      .filter((field) => isSorted(field) && !(spec.pooled === true && isHeldBack(field)))
      .map((field) => [
        nameOf(field),
        field.origin === 'tenant' ? extSort(field, mirrors) : columnSort(field, spec),
      ]),
  )
  return {
    ...spec,
    filters: { ...filters, ...spec.filters },
    sorts: { ...sorts, ...spec.sorts },
    ...withOwnWords(spec, ownWords(module, model, spec.row, spec.entity)),
  }
}

const nameOf = ({ name, origin }: MergedField): string => (origin === 'tenant' ? extName(name) : name)

/**
 * If a tenant removes a field of the product from the filter sheet (`false`), saved views can still use it. A tenant's own field, and a retired one,
 * is removed completely.
 */
const isOffered = ({ origin, retired }: MergedField, says: boolean | undefined): boolean =>
  origin === 'tenant' ? says === true && retired !== true : says !== undefined

/** Fields used by lists of other records can be filtered, too. */
const isFiltered = (field: MergedField): boolean =>
  isOffered(field, field.origin === 'tenant' && field.inverse !== undefined ? true : field.filter) &&
  kindOf(field.kind).index !== null

const isSorted = (field: MergedField): boolean =>
  isOffered(field, field.sort) && kindOf(field.kind).sorts === true

const columnFilter = (field: MergedField): FilterField => ({ kind: filterKindOf(field), column: field.name })

const SORT_TYPES = { number: 'numeric', day: 'date', moment: 'timestamptz' } as const

/** A column that may be null; choices whose codes are numbers in the database are numbers here as well. */
function columnSort({ name, kind }: MergedField, { filters }: ListSpec): SortColumn {
  const { stored } = kindOf(kind)
  const isNumber = filters[name]?.kind === 'number'
  const type = stored === 'number' || stored === 'day' || stored === 'moment' ? SORT_TYPES[stored] : 'text'
  return { column: name, type: isNumber ? 'numeric' : type, nullable: true }
}
