import jsonLogic from 'json-logic-js'
import { spend } from '../budget.ts'
import { roundDecimal } from '../decimal.ts'
import { type Json, ownValue, valueAt } from '../json.ts'
import { fullPath, type Scope } from '../page/scope.ts'
import { addMonths } from './add-months.ts'
import { daysBetween } from './days-between.ts'

/**
 * Limits of one evaluation; beyond them the rule fails and returns null. Each part of a rule is a step, and so is each piece of a text or list that
 * it passes on, with the texts and lists in it, because the next part may process all of it. In addition, rules of one turn share a budget.
 */
const MAX_STEPS = 100_000
const MAX_TEXT = 100_000
const MAX_ITEMS = 10_000
const CHARS_OF_A_STEP = 32
const ITEMS_OF_A_STEP = 8
/** Characters times characters or items: a search may compare each with each. */
const PAIRS_OF_A_STEP = 1024

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
  const whole = Math.floor(cost)
  steps += whole
  if (steps > MAX_STEPS) throw new RangeError(`the rule takes more than ${MAX_STEPS} steps`)
  spend(whole)
}

function weigh(value: unknown, own = 0): void {
  if (typeof value === 'string') step(value.length / CHARS_OF_A_STEP)
  else if (Array.isArray(value)) {
    step(own + value.length / ITEMS_OF_A_STEP)
    for (const item of value) weigh(item, 1)
  }
}

/* The library has one table of operations and calls its own `apply` for each part: both are restricted here, once. */
const applyPart = jsonLogic.apply
Object.assign(jsonLogic, {
  apply(rule: Parameters<typeof applyPart>[0], data: unknown): unknown {
    step(1)
    const value = applyPart(rule, data)
    weigh(value)
    return value
  },
})
jsonLogic.rm_operation('log')
jsonLogic.rm_operation('method')
const operations: Readonly<Record<string, (this: unknown, ...parts: never[]) => unknown>> = {
  var: function (this: unknown, path: unknown, otherwise: unknown): unknown {
    const value = read(this, path)
    return value === undefined ? (otherwise ?? null) : value
  },
  missing: function (this: unknown, ...names: unknown[]): unknown[] {
    return missing(this, names.flat())
  },
  missing_some: function (this: unknown, needed: unknown, names: unknown): unknown[] {
    const list = Array.isArray(names) ? names : []
    const absent = missing(this, list)
    return list.length - absent.length >= Number(needed) ? [] : absent
  },
  in: (needle: unknown, hay: unknown): boolean => {
    const isText = typeof hay === 'string'
    if (!isText && !Array.isArray(hay)) return false
    const text = asText(needle)
    step((text.length * hay.length) / PAIRS_OF_A_STEP)
    return isText ? hay.includes(text) : hay.includes(needle)
  },
  cat: (...parts: unknown[]): string => bounded(parts.map(asText).join('')),
  substr: (source: unknown, start: unknown, length: unknown): string =>
    part(asText(source), Number(start), length),
  merge: (...lists: unknown[]): unknown[] => bounded(lists.flat()),
  '+': (...terms: unknown[]): number => terms.reduce<number>((sum, term) => sum + asNumber(term), 0),
  '*': (...factors: unknown[]): number =>
    factors.reduce<number>((product, factor) => product * asNumber(factor), 1),
  length: (value: unknown): number =>
    typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : 0,
  startsWith: (text: unknown, start: unknown): boolean => asText(text).startsWith(asText(start)),
  round: (value: unknown, digits: unknown = 2): number => roundDecimal(asNumber(value), Number(digits)),
  daysBetween,
  addMonths,
}
for (const [name, run] of Object.entries(operations)) jsonLogic.add_operation(name, run as () => unknown)

/** Own properties only: at the root of the scope a name without a root is a field; inside map, filter … it is a part of the item. */
function read(data: unknown, path: unknown): Json | undefined {
  if ((path ?? '') === '') return data === root ? undefined : (data as Json)
  if (typeof path === 'number') return ownValue(data, String(path))
  if (typeof path !== 'string') return undefined
  return valueAt(data, data === root ? fullPath(path) : path)
}

function missing(data: unknown, names: readonly unknown[]): unknown[] {
  return names.filter((name) => (read(data, name) ?? '') === '')
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
  return text.slice(from, count < 0 ? count : from + count)
}

function bounded<Value extends string | unknown[]>(value: Value): Value {
  if (value.length > (typeof value === 'string' ? MAX_TEXT : MAX_ITEMS))
    throw new RangeError('the rule makes a text or list that is too long')
  return value
}

function asJson(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value) && value.some((item) => asJson(item) !== item)) return value.map(asJson)
  return value as Json
}
