import type { Json, JsonObject } from '../json.ts'
import type { Outcome, Text } from '../ports.ts'

/** What a field's own check (`onValidate`) has against its value; null: nothing. A check that failed has something against it. */
export function fieldVerdict(answer: Outcome<Json>, options: JsonObject, text: Text): string | null {
  if (!answer.ok) return text('rule.scriptFailed')
  if (typeof answer.value === 'string') return answer.value
  if (answer.value !== false) return null
  return typeof options.validationHint === 'string' && options.validationHint !== ''
    ? options.validationHint
    : text('rule.invalid')
}

/** The same for the check across fields (`onFormValidate`); '' is no message. */
export function formVerdict(answer: Outcome<Json>, text: Text): string {
  if (!answer.ok) return text('rule.scriptFailed')
  if (typeof answer.value === 'string') return answer.value
  return answer.value === false ? text('form.invalid') : ''
}
