import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { dateTimeText } from '../lists/zone.ts'

/** A database row as it goes over the wire: moments as `yyyy-MM-dd HH:mm:ss` of the tenant (CRM 1). */
export function wireRow(row: object, zone: string): JsonObject {
  const entries = Object.entries(row).map(([key, value]): [string, Json] => [
    key,
    value instanceof Date ? dateTimeText(value, zone) : (value as Json),
  ])
  return Object.fromEntries(entries)
}

/** Only the named keys. */
export function pick(row: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(row, key)).map((key) => [key, row[key] ?? null]),
  )
}
