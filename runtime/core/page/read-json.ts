import { type Problem, phrase, problem } from '../errors.ts'
import type { Json } from '../json.ts'
import { engineFault, jsonFault } from './json-fault.ts'
import type { ParseLimits } from './parse-limits.ts'
import { joinPointer } from './pointer.ts'

/** Maximum levels of JSON per level of widgets (a table: rows, row, cols, cell), plus room for options. */
export const JSON_LEVELS = 6

export type ReadJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: Problem }

/**
 * Checks, without copying, that the input is JSON of acceptable size. Accepts a value or JSON text.
 * Functions, dates, cycles, big integers and the like are a problem at their own pointer; getters that throw are one at the root.
 */
export function readJson(input: unknown, limits: ParseLimits): ReadJson {
  try {
    return typeof input === 'string' ? readText(input, limits) : readValue(input, limits)
  } catch (error) {
    return refuse(problem('DOCUMENT_INVALID', '', { reason: engineFault(String((error as Error).message)) }))
  }
}

function readText(text: string, limits: ParseLimits): ReadJson {
  if (text.length > limits.size) {
    return refuse(problem('DOCUMENT_TOO_LARGE', '', { size: text.length, limit: limits.size }))
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse(problem('JSON_INVALID', '', { reason: jsonFault(error, text).reason }))
  }
  return readValue(value, limits)
}

function readValue(value: unknown, limits: ParseLimits): ReadJson {
  const walk: Walk = { left: limits.size, limits, fault: null }
  visit(walk, value, '', 0)
  return walk.fault === null ? { ok: true, value: value as Json } : refuse(walk.fault)
}

interface Walk {
  left: number
  readonly limits: ParseLimits
  fault: Problem | null
}

function visit(walk: Walk, value: unknown, at: string, depth: number): void {
  if (isSmall(value)) {
    spend(walk, typeof value === 'string' ? value.length + 2 : 4)
    return
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) {
    walk.fault ??= problem('DOCUMENT_INVALID', at, {
      reason: phrase('{value} is not JSON', { value: nameOf(value) }),
    })
    return
  }
  if (depth >= walk.limits.depth * JSON_LEVELS) {
    const limit = walk.limits.depth
    walk.fault ??= problem('DOCUMENT_TOO_DEEP', '', { depth: phrase('more than {limit}', { limit }), limit })
    return
  }
  spend(walk, 2)
  if (Array.isArray(value)) visitList(walk, value, at, depth)
  else visitObject(walk, value as Readonly<Record<string, unknown>>, at, depth)
}

function visitList(walk: Walk, list: readonly unknown[], at: string, depth: number): void {
  for (let i = 0; i < list.length && walk.fault === null; i += 1) {
    const item = list[i]
    visit(walk, item === undefined ? null : item, isSmall(item) ? '' : joinPointer(at, i), depth + 1)
  }
}

function visitObject(walk: Walk, object: Readonly<Record<string, unknown>>, at: string, depth: number): void {
  let characters = 0
  for (const key of Object.keys(object)) {
    const value = object[key]
    if (value === undefined) continue
    characters += key.length + 3
    if (typeof value === 'string') characters += value.length + 2
    else if (isSmall(value)) characters += 4
    else {
      visit(walk, value, joinPointer(at, key), depth + 1)
      if (walk.fault !== null) return
    }
  }
  spend(walk, characters)
}

/** Such a value is always valid: its pointer need not be built. */
function isSmall(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)
}

function spend(walk: Walk, characters: number): void {
  walk.left -= characters
  if (walk.left >= 0) return
  const { size } = walk.limits
  walk.fault ??= problem('DOCUMENT_TOO_LARGE', '', {
    size: phrase('more than {limit}', { limit: size }),
    limit: size,
  })
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || isForeignPlain(prototype)
}

/** An object of another realm (a worker, a frame, a test runner) has another Object.prototype. */
function isForeignPlain(prototype: unknown): boolean {
  return (
    typeof prototype === 'object' &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf')
  )
}

function nameOf(value: unknown): string {
  if (typeof value === 'object') return value?.constructor?.name ?? 'an object'
  return typeof value === 'number' ? String(value) : typeof value
}

function refuse(fault: Problem): ReadJson {
  return { ok: false, problem: fault }
}
