import type { JsonObject } from '../json.ts'
import type { Page } from '../page/page.ts'
import type { Text } from '../ports.ts'
import { checkFields, type FieldError } from './check-fields.ts'
import { createModel } from './model.ts'

export interface Submission {
  readonly page: Page
  readonly values: JsonObject
  readonly text: Text
  readonly now: () => number
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
}

/**
 * Judges posted values as the page itself would (DESIGN 6): the same rules, the same visibility, the same messages.
 *
 * @returns the faults, and the values of the fields that a user could see: a hidden field's value is not trusted
 */
export function validateValues(submission: Submission): {
  readonly errors: readonly FieldError[]
  readonly values: JsonObject
} {
  let rows = 0
  const model = createModel({ ...submission, newRowId: () => `id${++rows}` })
  const shown = [...submission.page.nodes.values()].filter(
    (node) => node.field && node.subForm === null && node.template === null && model.shown(node.key),
  )
  const given = shown.filter(
    (node) => Object.hasOwn(submission.values, node.name) || node.options.valueOn != null,
  )
  return {
    errors: checkFields(model, submission.text),
    values: Object.fromEntries(given.map((node) => [node.name, model.form[node.name] ?? null])),
  }
}
