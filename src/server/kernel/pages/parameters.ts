import { type Problem, phrase, problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { nameHint } from '../../../../runtime/core/page/nearest-type.ts'

/** The parameters of a fragment: each name with its default; null: it must be given. */
export type Parameters = Readonly<Record<string, Json | undefined>>
/** The values inside a fragment. */
export type Given = Parameters

const PLACE = /\{\{\s*with\.(\w+)\s*\}\}/g
const WHOLE = /^\{\{\s*with\.(\w+)\s*\}\}$/

/** True if a text contains a place for a parameter. */
export const hasParameters = (text: string): boolean => text.includes('{{') && text.search(PLACE) >= 0

/** The text with its parameters inserted; a text that consists of one parameter becomes its value with its type. */
export function withParameters(text: string, given: Given): Json {
  const name = WHOLE.exec(text)?.[1]
  if (name !== undefined && Object.hasOwn(given, name)) return given[name] ?? null
  if (!text.includes('{{')) return text
  return text.replace(PLACE, (place, key: string) => {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    return value === undefined ? place : String(value)
  })
}

/** Parameters that the fragment does not have, and missing ones. */
export function parameterFaults(fragment: string, given: Given, parameters: Parameters): readonly Problem[] {
  const known = Object.keys(parameters)
  const unknown = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const subject = phrase('parameters of the fragment {fragment}', { fragment })
      return problem('WORD_UNKNOWN', '', { what: subject, name }, 'error', nameHint(name, known))
    })
  const missing = known
    .filter((name) => parameters[name] === null && !Object.hasOwn(given, name))
    .map((name) => {
      const reason = phrase('the fragment {fragment} needs "{name}"', { fragment, name })
      return problem('OPTION_INVALID', '', { reason })
    })
  return [...unknown, ...missing]
}
