import type { Failure } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Outcome, Text } from '../ports.ts'

/** Maximum length of an error from the page's code. */
const MAX_TEXT = 200
/** Control characters, halves of characters, and what turns a text around or has no width. */
const UNREADABLE = /\p{C}+/gu

/** The error of a field's own check (`onValidate`); null: none. A failed check is an error (HOOKS 6.2). */
export function fieldVerdict(
  answer: Outcome<Json>,
  { validationHint }: JsonObject,
  text: Text,
): string | null {
  const hint = typeof validationHint === 'string' ? validationHint : ''
  return verdict(answer, text, hint || text('rule.invalid'))
}

/** The same for the cross-field check (`onFormValidate`). */
export const formVerdict = (answer: Outcome<Json>, text: Text): string | null =>
  verdict(answer, text, text('form.invalid'))

function verdict(answer: Outcome<Json>, text: Text, general: string): string | null {
  if (!answer.ok) return withoutVerdict(answer.error, text)
  const { value } = answer
  if (value === false) return general
  if (typeof value !== 'string' || value === '') return null
  return value.slice(0, MAX_TEXT).replace(UNREADABLE, ' ').trim() || general
}

const withoutVerdict = ({ code }: Failure, text: Text): string =>
  text(code === 'SCRIPT_UNAVAILABLE' ? 'rule.scriptUnavailable' : 'rule.scriptFailed')
