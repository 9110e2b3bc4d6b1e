import type { Failure } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Outcome, Text } from '../ports.ts'

/** The error of a field's own check (`onValidate`); null: none. A failed check is an error. */
export function fieldVerdict(answer: Outcome<Json>, options: JsonObject, text: Text): string | null {
  if (!answer.ok) return withoutVerdict(answer.error, text)
  if (typeof answer.value === 'string') return answer.value
  if (answer.value !== false) return null
  return typeof options.validationHint === 'string' && options.validationHint !== ''
    ? options.validationHint
    : text('rule.invalid')
}

/** The same for the cross-field check (`onFormValidate`); '' is no message. */
export function formVerdict(answer: Outcome<Json>, text: Text): string {
  if (!answer.ok) return withoutVerdict(answer.error, text)
  if (typeof answer.value === 'string') return answer.value
  return answer.value === false ? text('form.invalid') : ''
}

const withoutVerdict = ({ code }: Failure, text: Text): string =>
  text(code === 'SCRIPT_UNAVAILABLE' ? 'rule.scriptUnavailable' : 'rule.scriptFailed')
