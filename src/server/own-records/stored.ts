import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../../model/description.ts'
import { kindOf } from '../../model/kinds/index.ts'
import { isEmpty } from '../../model/read-record.ts'
import { dateTimeText, parseDateTime } from '../lists/zone.ts'

/** Checked values as `ext` holds them: a moment as an instant, so that another zone of the tenant shows it rightly; nothing for what is empty. */
export function storedValues(
  values: Readonly<Record<string, Json>>,
  fields: readonly Field[],
  zone: string,
): JsonObject {
  const kinds = new Map(fields.map((field) => [field.name, kindOf(field.kind)]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Json] => [
      name,
      kinds.get(name)?.stored === 'moment' && typeof value === 'string'
        ? (parseDateTime(value, zone)?.toISOString() ?? null)
        : value,
    ]),
  )
}

/** Stored values over what a record holds; emptied ones are gone. */
export function mergedValues(stored: JsonObject, changed: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...stored, ...changed }).filter(([, value]) => !isEmpty(value)))
}

/** Values of `ext` as they go over the wire: every field of the module, null where there is nothing. */
export function wireValues(ext: Json, fields: readonly Field[], zone: string): JsonObject {
  const stored = isObject(ext) ? ext : {}
  return Object.fromEntries(
    fields
      .filter(({ kind }) => kindOf(kind).stored !== 'none')
      .map(({ name, kind }): [string, Json] => [name, wireValue(stored[name] ?? null, kindOf(kind), zone)]),
  )
}

function wireValue(value: Json, { stored, several }: ReturnType<typeof kindOf>, zone: string): Json {
  if (value === null) return several ? [] : null
  if (stored !== 'moment' || typeof value !== 'string') return value
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? value : dateTimeText(instant, zone)
}
