import { isObject, type Json, type JsonObject, sameJson } from '../../runtime/core/json.ts'

const OURS = '/engine/web/file/'

/** Deep equality of two values of a record: a file is the same whoever its address was signed for, and when; what is empty in an object is not there. */
export const sameValue = (a: Json | undefined, b: Json | undefined): boolean =>
  sameJson(a, b) || sameJson(unsigned(a ?? null), unsigned(b ?? null))

function unsigned(value: Json): Json {
  if (typeof value === 'string') return value.startsWith(OURS) ? value.replace(/\?.*$/, '') : value
  if (Array.isArray(value)) return value.map(unsigned)
  if (!isObject(value)) return value
  const filled = Object.entries(value).flatMap(([key, one]): [string, Json][] => {
    const is = unsigned(one ?? null)
    return is === null ? [] : [[key, is]]
  })
  return filled.length === 0 ? null : (Object.fromEntries(filled) satisfies JsonObject)
}
