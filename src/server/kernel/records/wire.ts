import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { cityName, regionName } from '../regions/regions.ts'
import { dateTimeText } from '../time/zone.ts'

/** The values of a row as a form sends them: moments as `yyyy-MM-dd HH:mm:ss` of the tenant, and no word that is not a field. */
export function wireValues(row: object, zone: string): JsonObject {
  const entries = Object.entries(row).map(([key, value]): [string, Json] => [
    key,
    value instanceof Date ? dateTimeText(value, zone) : (value as Json),
  ])
  return Object.fromEntries(entries)
}

/** A database row as it goes over the wire, to be looked at: its values, and a region with its name. */
export function wireRow(row: object, zone: string): JsonObject {
  const wire = wireValues(row, zone)
  if (!Array.isArray(wire.region)) return wire
  const codes = wire.region.map(String)
  return { ...wire, region_name: regionName(codes), city_name: cityName(codes) }
}

/** Only the named keys. */
export function pick(row: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(row, key)).map((key) => [key, row[key] ?? null]),
  )
}
