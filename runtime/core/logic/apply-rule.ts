import jsonLogic from 'json-logic-js'
import { spend } from '../budget.ts'
import { roundDecimal } from '../decimal.ts'
import { type Json, ownValue, valueAt } from '../json.ts'
import { fullPath, type Scope } from '../page/scope.ts'
import { addMonths } from './add-months.ts'
import { daysBetween } from './days-between.ts'

/**
 * Limits of one evaluation; beyond them the rule fails and returns null. Each part of a rule is a step, and so is each piece of a text or list that
 * it passes on, because the next part may process all of it. In addition, rules of one turn share a budget.
 */
const LIMITS = { steps: 100_000, text: 100_000, items: 10_000 } as const
const CHARS_OF_A_STEP = 32
const ITEMS_OF_A_STEP = 8

/**
 * Evaluates a rule. Never throws: a rule that fails, or exceeds its limits, returns null.
 *
 * @param rule  a rule that {@link checkRule} accepted; `row` reads the row in `scope`, a name without a root reads `form`
 * @param onBound  called with the exceeded limit
 * @returns JSON; numbers that JSON cannot represent (NaN, infinity) are null
 */
export function applyRule(rule: Json, scope: Scope, onBound?: (error: RangeError) => void): Json {
  if (typeof rule !== 'object' || rule === null) return rule
  const outer = { root, steps }
  root = scope
  steps = 0
  try {
    return asJson(jsonLogic.apply(rule as Parameters<typeof jsonLogic.apply>[0], scope))
  } catch (error) {
    if (error instanceof RangeError) onBound?.(error)
    return null
  } finally {
    root = outer.root
    steps = outer.steps
  }
}

/** JSON-Logic's definition of truth: 0, '', null, false and the empty list are false; '0' and {} are true. */
export function isTruthy(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

let root: unknown
let steps = 0

function step(cost: number): void {
  steps += cost
  if (steps > LIMITS.steps) throw new RangeError(`the rule takes more than ${LIMITS.steps} steps`)
  spend(cost)
}

/* The library has one table of operations and calls its own `apply` for each part: both are restricted here, once. */
const applyPart = jsonLogic.apply
Object.assign(jsonLogic, {
  apply(rule: Parameters<typeof applyPart>[0], data: unknown): unknown {
    step(1)
    const value = applyPart(rule, data)
    if (typeof value === 'string') step(Math.floor(value.length / CHARS_OF_A_STEP))
    else if (Array.isArray(value)) step(Math.floor(value.length / ITEMS_OF_A_STEP))
    return value
  },
})
jsonLogic.rm_operation('log')
jsonLogic.rm_operation('method')
jsonLogic.add_operation('var', function (this: unknown, path: unknown, otherwise: unknown): unknown {
  const value = read(this, path)
  return value === undefined ? (otherwise ?? null) : value
})
jsonLogic.add_operation('missing', function (this: unknown, ...names: unknown[]): unknown[] {
  return missing(this, names.flat())
})
jsonLogic.add_operation('missing_some', function (this: unknown, needed: unknown, names: unknown): unknown[] {
  const list = Array.isArray(names) ? names : []
  const absent = missing(this, list)
  return list.length - absent.length >= Number(needed) ? [] : absent
})
jsonLogic.add_operation('in', (needle: unknown, hay: unknown): boolean =>
  typeof hay === 'string' ? hay.includes(asText(needle)) : Array.isArray(hay) && hay.includes(needle),
)
jsonLogic.add_operation('cat', (...parts: unknown[]): string => bounded(parts.map(asText).join('')))
jsonLogic.add_operation('substr', (source: unknown, start: unknown, length: unknown): string =>
  part(asText(source), Number(start), length),
)
jsonLogic.add_operation('merge', (...lists: unknown[]): unknown[] => boundedList(lists.flat()))
jsonLogic.add_operation('+', (...terms: unknown[]): number =>
  terms.reduce<number>((sum, term) => sum + asNumber(term), 0),
)
jsonLogic.add_operation('*', (...factors: unknown[]): number =>
  factors.reduce<number>((product, factor) => product * asNumber(factor), 1),
)
jsonLogic.add_operation('length', (value: unknown): number =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : 0,
)
jsonLogic.add_operation('startsWith', (text: unknown, start: unknown): boolean =>
  asText(text).startsWith(asText(start)),
)
jsonLogic.add_operation('round', (value: unknown, digits: unknown = 2): number =>
  roundDecimal(asNumber(value), Number(digits)),
)
jsonLogic.add_operation('daysBetween', daysBetween)
jsonLogic.add_operation('addMonths', addMonths)

/** Own properties only: at the root of the scope a name without a root is a field; inside map, filter … it is a part of the item. */
function read(data: unknown, path: unknown): Json | undefined {
  if (path === '' || path === null || path === undefined) return data === root ? undefined : (data as Json)
  if (typeof path === 'number') return ownValue(data, String(path))
  if (typeof path !== 'string') return undefined
  return valueAt(data, data === root ? fullPath(path) : path)
}

function missing(data: unknown, names: readonly unknown[]): unknown[] {
  return names.filter((name) => {
    const value = read(data, name)
    return value === undefined || value === null || value === ''
  })
}

/** Texts of numbers count as numbers, as everywhere in JSON-Logic; '' and null do not. */
function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.parseFloat(asText(value))
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? bounded(value.map(asText).join(',')) : ''
}

function part(text: string, start: number, length: unknown): string {
  const from = start < 0 ? Math.max(0, text.length + start) : start
  if (length === undefined || length === null) return text.slice(from)
  const count = Number(length)
  return count < 0 ? text.slice(from, Math.max(from, text.length + count)) : text.slice(from, from + count)
}

function bounded(text: string): string {
  if (text.length > LIMITS.text) throw new RangeError('the rule makes a text that is too long')
  return text
}

function boundedList(list: unknown[]): unknown[] {
  if (list.length > LIMITS.items) throw new RangeError('the rule makes a list that is too long')
  return list
}

function asJson(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value) && value.some((item) => asJson(item) !== item)) return value.map(asJson)
  return value as Json
}
