import { isObject, type Json, type JsonObject, sameJson } from '../../runtime/core/json.ts'

const OURS = '/engine/web/file/'

/** Deep equality of two values of a record: a file is the same whoever its address was signed for, and when. */
export const sameValue = (a: Json | undefined, b: Json | undefined): boolean =>
  sameJson(a, b) || sameJson(unsigned(a ?? null), unsigned(b ?? null))

function unsigned(value: Json): Json {
  if (typeof value === 'string') return value.startsWith(OURS) ? value.replace(/\?.*$/, '') : value
  if (Array.isArray(value)) return value.map(unsigned)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]): [string, Json] => [key, unsigned(one ?? null)]),
  ) satisfies JsonObject
}
