import { type RawBuilder, sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { TenantModel } from '../model/library.ts'
import { mirrorKey } from '../model/own-index.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { filterKindOf } from './filter-kind.ts'
import type { FilterField } from './filter-sql.ts'
import type { SortColumn } from './keyset.ts'

/** A field's value in `ext`, converted to the type used for comparison. A time is stored as local time of the tenant. */
export function extValue(
  row: string,
  { name, kind }: Pick<Field, 'name' | 'kind'>,
  zone: string,
): RawBuilder<unknown> {
  const written = sql`(${sql.ref(`${row}.ext`)} ->> ${sql.lit(name)})`
  const { stored, several } = kindOf(kind)
  if (several)
    return sql`array(select jsonb_array_elements_text(coalesce(${sql.ref(`${row}.ext`)} -> ${sql.lit(name)}, '[]'::jsonb)))`
  if (stored === 'number') return sql`${written}::numeric`
  if (stored === 'flag') return sql`${written}::boolean`
  if (stored === 'day') return sql`${written}::date`
  return stored === 'moment' ? sql`(${written}::timestamp at time zone ${zone})` : written
}

/** The table that mirrors the fields of a module. */
export type MirrorsOf = (field: Field) => Pick<FilterField, 'mirror'> & { readonly value?: () => never }

/**
 * The mirrors of a module's fields. A field that is being filled for the first time cannot be used yet, and the request is refused; one that could be
 * used before is meanwhile read from `ext`.
 */
export function mirrorsOf(module: string, { mirrored }: Pick<TenantModel, 'mirrored'>): MirrorsOf {
  return (field) => {
    const { index } = kindOf(field.kind)
    const state = mirrored.get(mirrorKey(module, field.name))
    if (state === 'filling')
      return {
        value: () =>
          refuse(400, 'BAD_FILTER', text('list.filling', { label: labelText(field.label) }), {
            detail: field.name,
          }),
      }
    if (state !== 'ready' || index === null) return {}
    return { mirror: { class: index, module, field: field.name, isDay: field.kind === 'day' } }
  }
}

/** The filter of a field in `ext`. */
export function extFilter(field: Field, mirrors: MirrorsOf): FilterField {
  return {
    kind: filterKindOf(field),
    column: field.name,
    value: (row, { zone }) => extValue(row, field, zone),
    ...mirrors(field),
  }
}

/** The sort by a field in `ext`; records without a value come last. Days and times sort by their text. */
export function extSort(field: Field, mirrors: MirrorsOf): SortColumn {
  const isNumber = kindOf(field.kind).stored === 'number'
  const value = (row: string) => sql`(${sql.ref(`${row}.ext`)} ->> ${sql.lit(field.name)})`
  const { mirror, value: refused } = mirrors(field)
  return {
    column: field.name,
    type: isNumber ? 'numeric' : 'text',
    nullable: true,
    value: refused === undefined ? (isNumber ? (row) => sql`${value(row)}::numeric` : value) : refused,
    ...(mirror === undefined ? {} : { mirror }),
  }
}
