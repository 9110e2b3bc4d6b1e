/** Any value that JSON can carry. Everything that enters or leaves the core has this shape. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
/** A JSON object. Read it with {@link ownValue}: a name such as `constructor` must not reach a prototype. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** True for a plain JSON object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The objects in a list; other items are left out. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject)
}

/** The number with which a plain value begins; NaN for lists, objects and other texts. */
export function numberIn(value: Json | undefined): number {
  return typeof value === 'object' ? Number.NaN : Number.parseFloat(String(value))
}

/** Names that are never reachable from a page, a rule or a script. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** True when `name` may be used as a key of page data. */
export function isSafeName(name: string): boolean {
  return !FORBIDDEN.has(name)
}

/** The object's own value under `name`; `undefined` for inherited and forbidden names and for non-objects. */
export function ownValue(object: unknown, name: string): Json | undefined {
  if (typeof object !== 'object' || object === null || !isSafeName(name)) return undefined
  return Object.hasOwn(object, name) ? (object as Record<string, Json>)[name] : undefined
}

/** Follows a dotted path (`a.b.0.c`) through own values only; `undefined` when a step is missing. */
export function valueAt(root: unknown, path: string): Json | undefined {
  let at: unknown = root
  for (const step of path.split('.')) {
    at = ownValue(at, step)
    if (at === undefined) return undefined
  }
  return at as Json
}

/** Deep equality of two JSON values; the order of keys is irrelevant. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => sameJson(x, b[i]))
    )
  }
  const left = a as JsonObject
  const right = b as JsonObject
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((k) => Object.hasOwn(right, k) && sameJson(left[k], right[k]))
  )
}
