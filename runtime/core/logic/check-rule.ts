import { type Phrase, type Problem, phrase, problem } from '../errors.ts'
import { isObject, isSafeName } from '../json.ts'
import { joinPointer } from '../page/pointer.ts'
import { OPERATIONS } from './operations.ts'

/** The message for a key that is not an operation. */
export const NO_OPERATION = phrase('there is no operation "{name}"')

/** Limits of one rule: nesting of operations, and total number of values. Both included. */
const RULE_LIMITS = { depth: 32, size: 500 } as const

/**
 * Checks the structure of a rule without evaluating it: known operations, literal paths, limits, no prototype names.
 *
 * @param at  JSON pointer of the rule in its document
 * @returns every error, RULE_INVALID or NAME_FORBIDDEN, each at a pointer below `at`; empty if the rule is valid
 */
export function checkRule(rule: unknown, at: string): Problem[] {
  const check: Check = { problems: [], size: 0, full: false }
  checkValue(check, rule, at, 1, false)
  return check.problems
}

interface Check {
  readonly problems: Problem[]
  size: number
  /** A limit was exceeded: stop. */
  full: boolean
}

function checkValue(check: Check, value: unknown, at: string, depth: number, local: boolean): void {
  if (check.full) return
  check.size += 1
  if (check.size > RULE_LIMITS.size) {
    overflow(check, at, phrase('a rule has at most {most} parts', { most: RULE_LIMITS.size }))
    return
  }
  if (depth > RULE_LIMITS.depth) {
    overflow(check, at, phrase('a rule is at most {most} levels deep', { most: RULE_LIMITS.depth }))
    return
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      checkValue(check, item, joinPointer(at, i), depth + 1, local)
    }
  } else if (isObject(value)) {
    checkOperation(check, value, at, depth, local)
  }
}

function checkOperation(
  check: Check,
  rule: Readonly<Record<string, unknown>>,
  at: string,
  depth: number,
  local: boolean,
): void {
  const names = Object.keys(rule)
  const [name] = names
  if (name === undefined || names.length !== 1) {
    refuse(check, at, phrase('an operation is an object with exactly one key'))
    return
  }
  const operation = OPERATIONS.get(name)
  if (operation === undefined) {
    refuse(check, at, phrase(NO_OPERATION.words, { name: shorten(name) }))
    return
  }
  const values = rule[name]
  const listed = Array.isArray(values)
  const args: readonly unknown[] = listed ? values : [values]
  if (args.length < operation.min || args.length > operation.max) {
    refuse(check, at, phrase('"{name}" does not take {count} arguments', { name, count: args.length }))
    return
  }
  const below = joinPointer(at, name)
  const place = (i: number): string => (listed ? joinPointer(below, i) : below)
  if (name === 'var') {
    checkVar(check, args, place, depth, local)
    return
  }
  if (name === 'missing') {
    checkNames(check, args, place, local)
    return
  }
  if (name === 'missing_some') {
    checkMissingSome(check, args, place, depth, local)
    return
  }
  for (const [i, arg] of args.entries()) {
    checkValue(check, arg, place(i), depth + 1, local || (operation.perItem === true && i === 1))
  }
}

function checkVar(
  check: Check,
  args: readonly unknown[],
  place: (i: number) => string,
  depth: number,
  local: boolean,
): void {
  checkPath(check, args[0], place(0), local)
  if (args.length > 1) checkValue(check, args[1], place(1), depth + 1, local)
}

function checkMissingSome(
  check: Check,
  args: readonly unknown[],
  place: (i: number) => string,
  depth: number,
  local: boolean,
): void {
  checkValue(check, args[0], place(0), depth + 1, local)
  const names = args[1]
  if (!Array.isArray(names)) {
    refuse(check, place(1), phrase('"missing_some" takes a list of names'))
    return
  }
  checkNames(check, names, (i) => joinPointer(place(1), i), local)
}

function checkNames(
  check: Check,
  names: readonly unknown[],
  place: (i: number) => string,
  local: boolean,
): void {
  const [first] = names
  if (names.length === 1 && Array.isArray(first)) {
    checkNames(check, first, (i) => joinPointer(place(0), i), local)
    return
  }
  for (const [i, name] of names.entries()) {
    check.size += 1
    if (check.size > RULE_LIMITS.size) {
      overflow(check, place(i), phrase('a rule has at most {most} parts', { most: RULE_LIMITS.size }))
      return
    }
    checkPath(check, name, place(i), local)
  }
}

/** Paths are literal, so that dependencies are known before evaluation. '' is the item as a whole. */
function checkPath(check: Check, path: unknown, at: string, local: boolean): void {
  if (local && typeof path === 'number' && Number.isInteger(path)) return
  if (typeof path !== 'string') {
    refuse(check, at, phrase('a path is a literal text'))
    return
  }
  if (path === '' && local) return
  for (const step of path.split('.')) {
    if (step === '') {
      refuse(check, at, phrase('the path "{path}" has an empty step', { path: shorten(path) }))
      return
    }
    if (!isSafeName(step)) {
      check.problems.push(problem('NAME_FORBIDDEN', at, { name: step }))
      return
    }
  }
}

function refuse(check: Check, at: string, reason: Phrase): void {
  check.problems.push(problem('RULE_INVALID', at, { reason }))
}

function overflow(check: Check, at: string, reason: Phrase): void {
  check.full = true
  refuse(check, at, reason)
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
