import { formatPhrase, type Phrase, type ProblemPhrases, phrase } from '../../runtime/core/errors.ts'
import { isSafeName } from '../../runtime/core/json.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import type { AttributeFault } from './attribute-fault.ts'
import type { Schema } from './attributes.ts'

export type ModuleProblemCode =
  | 'WORD_UNKNOWN'
  | 'MODULE_INVALID'
  | 'KEY_UNKNOWN'
  | 'KEY_MISSING'
  | 'VALUE_INVALID'
  | 'NAME_INVALID'
  | 'NAME_RESERVED'
  | 'NAME_REPEATED'
  | 'KIND_UNKNOWN'
  | 'FIELD_UNKNOWN'
  | 'STATUS_UNKNOWN'

/** A fault of a module description, for its author. `at` is a JSON pointer into what was handed in. */
export interface ModuleProblem {
  readonly code: ModuleProblemCode
  readonly at: string
  readonly message: string
  readonly hint: string
  readonly said: ProblemPhrases
}

/** Names that every object has are no keys of data. */
export const isEveryObjects = (name: string): boolean => !isSafeName(name) || name in Object.prototype

/** The fault of an attribute, with what the attribute is for. */
export function valueProblems(
  fault: AttributeFault | null,
  at: string,
  hint: Phrase,
): readonly ModuleProblem[] {
  return fault === null ? [] : [moduleProblem('VALUE_INVALID', `${at}${fault.at}`, fault.reason, hint)]
}

export const hintOf = (attributes: Readonly<Record<string, Schema>>, key: string): Phrase =>
  phrase(String(attributes[key]?.description ?? ''))

/** A key that its owner does not have, with the nearest it has. */
export function unknownKey(key: string, known: readonly string[], at: string, owner: Phrase): ModuleProblem {
  return moduleProblem(
    'KEY_UNKNOWN',
    at,
    phrase('{owner} has no "{key}"', { owner, key }),
    nameHint(key, known),
  )
}

/** A fault with its sentence and a way on. */
export const moduleProblem = (
  code: ModuleProblemCode,
  at: string,
  message: Phrase,
  hint: Phrase,
): ModuleProblem => ({
  code,
  at,
  message: formatPhrase(message),
  hint: formatPhrase(hint),
  said: { message, hint },
})

/** A key as a step of a JSON pointer. */
export const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
