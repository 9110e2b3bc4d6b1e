import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { MergedField } from '../../model/merge-module.ts'
import { readRecord } from '../../model/read-record.ts'
import type { FilterFields } from '../lists/filter-sql.ts'
import type { SortColumn } from '../lists/keyset.ts'
import type { ListSpec } from '../lists/run-list.ts'
import { extFilter, extSort } from '../model/ext-sql.ts'
import { faultTexts, ruleFaults, storedFaults } from '../model/field-faults.ts'
import { mergedValues } from '../model/stored.ts'
import { text } from '../text.ts'
import type { Asking } from './asking.ts'
import type { SalesEntity } from './entities.ts'

/** The fields a tenant has added to a module of the product; their values stand in `ext`. */
export async function extFieldsOf(
  entity: SalesEntity,
  { trx, caller, modules }: Pick<Asking, 'trx' | 'caller' | 'modules'>,
): Promise<readonly MergedField[]> {
  const model = await modules.of(trx, caller.tenantId)
  return (model.modules.get(entity)?.fields ?? []).filter(({ origin }) => origin === 'tenant')
}

/**
 * Checks the tenant's own fields of a write.
 *
 * @param id  the record, null while it is new
 * @param stored  what the record has already; given fields replace, `null` clears
 * @returns all of them together, and a message per `ext.<name>` that cannot stay
 */
export async function checkExt(
  entity: SalesEntity,
  id: string | null,
  given: Json | undefined,
  stored: JsonObject,
  asking: Asking,
): Promise<{ readonly ext: JsonObject; readonly faults: Readonly<Record<string, string>> }> {
  if (given !== undefined && given !== null && !isObject(given))
    return { ext: stored, faults: { ext: text('record.unknown-field') } }
  const all = await extFieldsOf(entity, asking)
  if (all.length === 0 && !isObject(given)) return { ext: stored, faults: {} }
  const fields = all.filter(({ retired }) => retired !== true)
  const { values, faults } = readRecord(isObject(given) ? given : {}, fields, id === null)
  const ext = mergedValues(stored, values)
  const found = {
    ...ruleFaults(fields, ext),
    ...(await storedFaults(fields, values, { table: entity, module: entity, id }, asking)),
    ...faultTexts(faults, fields),
  }
  return {
    ext,
    faults: Object.fromEntries(Object.entries(found).map(([name, message]) => [`ext.${name}`, message])),
  }
}

/** A list that can be filtered and sorted by the tenant's own fields as well, named `ext.<name>`. */
export async function withOwnFields(spec: ListSpec, entity: SalesEntity, asking: Asking): Promise<ListSpec> {
  const fields = await extFieldsOf(entity, asking)
  if (fields.length === 0) return spec
  const filters: FilterFields = Object.fromEntries(
    fields.filter(({ filter }) => filter === true).map((field) => [`ext.${field.name}`, extFilter(field)]),
  )
  const sorts: Readonly<Record<string, SortColumn>> = Object.fromEntries(
    fields.filter(({ sort }) => sort === true).map((field) => [`ext.${field.name}`, extSort(field)]),
  )
  return { ...spec, filters: { ...spec.filters, ...filters }, sorts: { ...spec.sorts, ...sorts } }
}
