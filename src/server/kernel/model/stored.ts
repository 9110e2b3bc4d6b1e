import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { Origin } from '../../../model/merge-module.ts'
import { isEmpty } from '../../../model/read-record.ts'

/** Combines checked values with those of a record; cleared ones are removed. */
export function mergedValues(stored: JsonObject, changed: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...stored, ...changed }).filter(([, value]) => !isEmpty(value)))
}

/** Values of `ext` as sent to the client: every field of the module, null or an empty list if there is no value. */
export function wireValues(ext: Json, fields: readonly Field[]): JsonObject {
  const stored = isObject(ext) ? ext : {}
  return Object.fromEntries(
    fields
      .filter(({ kind }) => kindOf(kind).stored !== 'none')
      .map(({ name, kind }): [string, Json] => [name, stored[name] ?? (kindOf(kind).several ? [] : null)]),
  )
}

/** The table that holds the records of a module. */
export function tableOf({ name, origin }: { readonly name: string; readonly origin: Origin }): string {
  if (origin === 'tenant') return 'record'
  return name === 'plan' ? 'payment_plan' : name
}
