import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { cityName, regionName } from '../regions/regions.ts'
import { dateTimeText } from '../time/zone.ts'

const ALL: ReadonlySet<string> = new Set()

/**
 * The values of a row as a form sends them: moments as `yyyy-MM-dd HH:mm:ss` of the tenant, and no word that is not a field.
 *
 * @param without  columns that are left out
 */
export function wireValues(row: object, zone: string, without = ALL): JsonObject {
  // Of each row of each page: pairs made and taken apart again would be most of what a list costs here.
  const wire: Record<string, Json> = {}
  const values = row as Readonly<Record<string, unknown>>
  for (const key of Object.keys(row)) {
    if (without.has(key)) continue
    const value = values[key]
    wire[key] = value instanceof Date ? dateTimeText(value, zone) : (value as Json)
  }
  return wire
}

/** A database row as it goes over the wire, to be looked at: its values, and a region with its name. */
export function wireRow(row: object, zone: string, without = ALL): JsonObject {
  return withRegionNames(wireValues(row, zone, without))
}

/**
 * The same of a row that nobody else has: it becomes what goes over the wire itself, for a copy of each row is most of what a list costs here.
 * Columns that are left out are undefined, which JSON knows nothing of.
 */
export function wireInPlace(row: object, zone: string, without = ALL): JsonObject {
  const values = row as Record<string, unknown>
  for (const key of Object.keys(row)) {
    const value = values[key]
    if (without.has(key)) values[key] = undefined
    else if (value instanceof Date) values[key] = dateTimeText(value, zone)
  }
  return withRegionNames(values as Record<string, Json | undefined>)
}

function withRegionNames(wire: Record<string, Json | undefined>): JsonObject {
  if (!Array.isArray(wire.region)) return wire
  const codes = wire.region.map(String)
  wire.region_name = regionName(codes)
  wire.city_name = cityName(codes)
  return wire
}

/** Only the named keys. */
export function pick(row: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(row, key)).map((key) => [key, row[key] ?? null]),
  )
}
