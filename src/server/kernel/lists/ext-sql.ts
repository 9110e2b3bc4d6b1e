import { type RawBuilder, sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { filterKindOf } from './filter-kind.ts'
import type { FilterField } from './filter-sql.ts'
import type { SortColumn } from './keyset.ts'

/** A field's value in `ext`, as the type that it is compared as. A moment is kept as the tenant's clocks showed it. */
export function extValue(
  row: string,
  { name, kind }: Pick<Field, 'name' | 'kind'>,
  zone: string,
): RawBuilder<unknown> {
  const text = sql`(${sql.ref(`${row}.ext`)} ->> ${sql.lit(name)})`
  const { stored, several } = kindOf(kind)
  if (several)
    return sql`array(select jsonb_array_elements_text(coalesce(${sql.ref(`${row}.ext`)} -> ${sql.lit(name)}, '[]'::jsonb)))`
  if (stored === 'number') return sql`${text}::numeric`
  if (stored === 'flag') return sql`${text}::boolean`
  if (stored === 'day') return sql`${text}::date`
  return stored === 'moment' ? sql`(${text}::timestamp at time zone ${zone})` : text
}

/** How a field of `ext` is filtered. */
export function extFilter(field: Field): FilterField {
  return { kind: filterKindOf(field), column: field.name, value: (row, zone) => extValue(row, field, zone) }
}

/** How a list is sorted by a field of `ext`; a record without a value stands last. Days and moments sort as they are written. */
export function extSort(field: Field): SortColumn {
  const isNumber = kindOf(field.kind).stored === 'number'
  const value = (row: string) => sql`(${sql.ref(`${row}.ext`)} ->> ${sql.lit(field.name)})`
  return {
    column: field.name,
    type: isNumber ? 'numeric' : 'text',
    nullable: true,
    value: isNumber ? (row) => sql`${value(row)}::numeric` : value,
  }
}
