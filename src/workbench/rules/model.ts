import { isObject, type Json } from '../../../runtime/core/json.ts'

/**
 * The comparisons. `filled`, `empty`, `given` and `missing` have no second operand: for numbers and switches 0 and off are values, so the absence of
 * a value needs its own comparison.
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

/** The kind of a value, for comparisons. */
export type Kind = 'text' | 'number' | 'day' | 'moment' | 'time' | 'choice' | 'flag' | 'list' | 'pair' | 'any'

/** The comparisons for a kind, the most probable first. */
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

const UNARY: readonly Comparison[] = ['filled', 'empty', 'given', 'missing']

/** True for a comparison without a second operand. */
export const isUnary = (comparison: Comparison): boolean => UNARY.includes(comparison)

export interface Condition {
  readonly path: string
  readonly comparison: Comparison
  readonly value: Json
}

/** Conditions that must all be true, or at least one; `not` negates. */
export interface Group {
  readonly join: 'and' | 'or'
  readonly not: boolean
  readonly parts: readonly (Condition | Group)[]
}

export const isGroup = (part: Condition | Group): part is Group => 'join' in part

/** The rule as shown in the builder; null if the builder cannot express it. */
export function readRule(rule: Json): Group | null {
  if (rule === null) return { join: 'and', not: false, parts: [] }
  const read = readPart(rule)
  if (read === null) return null
  return isGroup(read) ? read : { join: 'and', not: false, parts: [read] }
}

/** The equivalent rule in JSON-Logic; null without conditions. */
export function writeRule(group: Group): Json {
  const parts = group.parts.map((part) => (isGroup(part) ? writeRule(part) : writeCondition(part)))
  const written = parts.filter((part) => part !== null)
  if (written.length === 0) return null
  const rule = written.length === 1 ? (written[0] ?? null) : { [group.join]: written }
  return group.not ? { '!': rule } : rule
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
  const isComparison = ['==', '!=', '>', '>=', '<', '<='].includes(comparison)
  if (!isComparison || path === null || args.length !== 2 || !isPlain(second)) return null
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

/** The path of a plain `var`. */
function pathIn(value: Json | undefined): string | null {
  if (!isObject(value) || Object.keys(value).length !== 1) return null
  const path = Array.isArray(value.var) && value.var.length === 1 ? value.var[0] : value.var
  return typeof path === 'string' ? path : null
}

const isPlain = (value: Json | undefined): boolean => value === null || typeof value !== 'object'
const isPlainList = (list: readonly Json[]): boolean => list.every(isPlain)
