import { isObject, type Json } from '../../../runtime/core/json.ts'

/**
 * How a value is compared. `filled`, `empty`, `given` and `missing` take no other: of a number and of a switch 0 and off are something,
 * so that what is not there is asked for itself.
 */
export type Comparison =
  | '=='
  | '!='
  | '>'
  | '>='
  | '<'
  | '<='
  | 'in'
  | 'has'
  | 'starts'
  | 'filled'
  | 'empty'
  | 'given'
  | 'missing'

/** What a value is, as far as it can be compared. */
export type Kind = 'text' | 'number' | 'day' | 'moment' | 'time' | 'choice' | 'flag' | 'list' | 'pair' | 'any'

/** The comparisons that mean something to values of a kind, the likeliest first. */
export const COMPARISONS: Readonly<Record<Kind, readonly Comparison[]>> = {
  text: ['filled', 'empty', '==', '!=', 'has', 'starts', 'in'],
  number: ['given', 'missing', '==', '!=', '>', '>=', '<', '<='],
  day: ['filled', 'empty', '==', '!=', '>', '>=', '<', '<='],
  moment: ['filled', 'empty', '>', '>=', '<', '<='],
  time: ['filled', 'empty', '==', '!=', '>', '>=', '<', '<='],
  choice: ['filled', 'empty', '==', '!=', 'in'],
  flag: ['=='],
  list: ['filled', 'empty', 'has'],
  pair: ['filled', 'empty'],
  any: ['filled', 'empty', '==', '!=', '>', '>=', '<', '<=', 'in', 'has', 'starts'],
}

const ALONE: readonly Comparison[] = ['filled', 'empty', 'given', 'missing']

/** True for a comparison with nothing else. */
export const isAlone = (comparison: Comparison): boolean => ALONE.includes(comparison)

export interface Condition {
  readonly path: string
  readonly comparison: Comparison
  readonly value: Json
}

/** Conditions of which all, or one, must hold; `not` turns it round. */
export interface Group {
  readonly join: 'and' | 'or'
  readonly not: boolean
  readonly parts: readonly (Condition | Group)[]
}

export const isGroup = (part: Condition | Group): part is Group => 'join' in part

/** The rule as the builder has it; null for one that says more than the builder can. */
export function readRule(rule: Json): Group | null {
  if (rule === null) return { join: 'and', not: false, parts: [] }
  const read = readPart(rule)
  if (read === null) return null
  return isGroup(read) ? read : { join: 'and', not: false, parts: [read] }
}

/** The rule of JSON-Logic that says the same; null when there is no condition. */
export function writeRule(group: Group): Json {
  const parts = group.parts.map((part) => (isGroup(part) ? writeRule(part) : writeCondition(part)))
  const said = parts.filter((part) => part !== null)
  if (said.length === 0) return null
  const whole = said.length === 1 ? (said[0] ?? null) : { [group.join]: said }
  return group.not ? { '!': whole } : whole
}

function readPart(rule: Json): Condition | Group | null {
  if (!isObject(rule)) return null
  const [operation, more] = Object.keys(rule)
  if (operation === undefined || more !== undefined) return null
  const given = rule[operation] ?? null
  const args: readonly Json[] = Array.isArray(given) ? given : [given]
  if (operation === 'and' || operation === 'or') {
    const parts = args.map(readPart)
    if (!parts.every((part) => part !== null)) return null
    return { join: operation, not: false, parts }
  }
  if (operation === '!') {
    const path = pathIn(args[0])
    if (path !== null) return { path, comparison: 'empty', value: null }
    const inner = readPart(args[0] ?? null)
    if (inner === null) return null
    return isGroup(inner) ? { ...inner, not: !inner.not } : { join: 'and', not: true, parts: [inner] }
  }
  return readCondition(operation, args)
}

function readCondition(operation: string, args: readonly Json[]): Condition | null {
  const [first, second] = args
  const path = pathIn(first)
  if (operation === '!!' && path !== null) return { path, comparison: 'filled', value: null }
  if (operation === 'var' && typeof first === 'string')
    return { path: first, comparison: 'filled', value: null }
  if (operation === 'in') {
    const list = pathIn(second)
    if (path !== null && Array.isArray(second) && isPlainList(second))
      return { path, comparison: 'in', value: second }
    return list !== null && isPlain(first) ? { path: list, comparison: 'has', value: first ?? null } : null
  }
  if (operation === 'startsWith')
    return path !== null && args.length === 2 && isPlain(second)
      ? { path, comparison: 'starts', value: second ?? null }
      : null
  const comparison = operation === '===' ? '==' : operation === '!==' ? '!=' : operation
  const known = ['==', '!=', '>', '>=', '<', '<='].includes(comparison)
  if (!known || path === null || args.length !== 2 || !isPlain(second)) return null
  if (second === null && comparison === '!=') return { path, comparison: 'given', value: null }
  if (second === null && comparison === '==') return { path, comparison: 'missing', value: null }
  return { path, comparison: comparison as Comparison, value: second ?? null }
}

function writeCondition({ path, comparison, value }: Condition): Json {
  if (path === '') return null
  const read = { var: path }
  if (comparison === 'filled') return { '!!': read }
  if (comparison === 'empty') return { '!': read }
  if (comparison === 'given') return { '!=': [read, null] }
  if (comparison === 'missing') return { '==': [read, null] }
  if (comparison === 'starts') return { startsWith: [read, value] }
  if (comparison === 'has') return { in: [value, read] }
  if (comparison === 'in') return { in: [read, Array.isArray(value) ? value : [value]] }
  return { [comparison]: [read, value] }
}

/** The path that a `var` names, where it is nothing but that. */
function pathIn(value: Json | undefined): string | null {
  if (!isObject(value) || Object.keys(value).length !== 1) return null
  const path = Array.isArray(value.var) && value.var.length === 1 ? value.var[0] : value.var
  return typeof path === 'string' ? path : null
}

const isPlain = (value: Json | undefined): boolean => value === null || typeof value !== 'object'
const isPlainList = (list: readonly Json[]): boolean => list.every(isPlain)
