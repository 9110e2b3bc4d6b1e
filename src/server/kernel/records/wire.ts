import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { cityName, regionName } from '../regions/regions.ts'
import { dateTimeText } from '../time/zone.ts'

const ALL: ReadonlySet<string> = new Set()

/**
 * The values of a row as a form sends them: times as `yyyy-MM-dd HH:mm:ss` of the tenant, without texts that are not fields.
 *
 * @param without  columns to leave out
 */
export function wireValues(row: object, zone: string, without = ALL): JsonObject {
  // A plain loop, because this runs for each row of each page: building and reading lists of pairs would dominate the cost of a list.
  const wire: Record<string, Json> = {}
  const values = row as Readonly<Record<string, unknown>>
  for (const key of Object.keys(row)) {
    if (without.has(key)) continue
    const value = values[key]
    wire[key] = value instanceof Date ? dateTimeText(value, zone) : (value as Json)
  }
  return wire
}

/** A database row as sent to the client for display: its values, and a region with its name. */
export function wireRow(row: object, zone: string, without = ALL): JsonObject {
  return withRegionNames(wireValues(row, zone, without))
}

/**
 * The same for a row that nobody else uses: it is modified in place, because copying each row would dominate the cost of a list. Columns that are
 * left out become undefined, which JSON omits.
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
