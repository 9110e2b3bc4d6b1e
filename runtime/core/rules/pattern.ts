import { leftToSpend, OverBudget, spend } from '../budget.ts'
import { type Phrase, phrase } from '../errors.ts'
import { engineFault } from '../page/json-fault.ts'
import { readPattern } from './pattern-parse.ts'
import { compilePattern, type Program } from './pattern-program.ts'
import { findMatch } from './pattern-run.ts'

/** Steps one match may take; about 20 ms on a phone. */
const PATTERN_STEPS = 200_000
/** Steps of a match are cheap: this many count as one in the budget shared by all patterns and rules of a turn. */
const STEPS_OF_A_STEP = 4
const MAX_LENGTH = 2000

/**
 * Matches a regular expression of a page against user input within a step limit, because a hostile or careless pattern must
 * not hang the page. The pattern may match anywhere in the text, as `RegExp.test` does.
 *
 * @param pattern  the source, with or without slashes: `/^a/i` and `^a` are both read; flags i, m, s and u count, others do not
 * @param steps  default {@link PATTERN_STEPS}
 * @returns `too-slow` when the steps ran out, or those of the whole turn; `invalid` for no pattern, for one above 2000 characters or nested above 100 levels
 */
export function matchPattern(
  pattern: string,
  text: string,
  steps = PATTERN_STEPS,
): 'match' | 'no-match' | 'too-slow' | 'invalid' {
  const program = programOf(pattern)
  if (program === null) return 'invalid'
  const { found, usedSteps } = findMatch(program, text, Math.min(steps, leftToSpend() * STEPS_OF_A_STEP))
  try {
    spend(Math.ceil(usedSteps / STEPS_OF_A_STEP))
  } catch (error) {
    if (error instanceof OverBudget) return 'too-slow'
    throw error
  }
  return found === null ? 'too-slow' : found ? 'match' : 'no-match'
}

/** Why a pattern cannot be used, for its author; null when it can. */
export function patternFault(pattern: string): Phrase | null {
  if (programOf(pattern) !== null) return null
  const { source, flags } = splitPattern(pattern)
  if (source.length > MAX_LENGTH) return phrase('longer than {most} characters', { most: MAX_LENGTH })
  try {
    new RegExp(source, flags)
    return phrase('it is nested too deeply or uses syntax that is not supported')
  } catch (error) {
    return engineFault(String((error as Error).message))
  }
}

/** Source and flags of a pattern as written; a `/` at either end is removed. */
function splitPattern(pattern: string): { readonly source: string; readonly flags: string } {
  const literal = /^\/([\s\S]*)\/([dgimsuy]*)$/.exec(pattern)
  if (literal?.[1] !== undefined) {
    const flags = [...new Set(literal[2])].filter((flag) => 'imsu'.includes(flag)).join('')
    return { source: literal[1], flags }
  }
  return { source: pattern.replace(/^\//, '').replace(/\/$/, ''), flags: '' }
}

const MAX_CACHED = 200
const programs = new Map<string, Program | null>()

function programOf(pattern: string): Program | null {
  const known = programs.get(pattern)
  if (known !== undefined) return known
  const program = compile(pattern)
  if (programs.size >= MAX_CACHED) programs.clear()
  programs.set(pattern, program)
  return program
}

function compile(pattern: string): Program | null {
  const { source, flags } = splitPattern(pattern)
  if (source === '' || source.length > MAX_LENGTH) return null
  try {
    new RegExp(source, flags)
    const parsed = readPattern(source, flags.includes('u'))
    if (parsed === null) return null
    return compilePattern(parsed, {
      unicode: flags.includes('u'),
      ignoreCase: flags.includes('i'),
      multiline: flags.includes('m'),
      dotAll: flags.includes('s'),
    })
  } catch {
    return null
  }
}
