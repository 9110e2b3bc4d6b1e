import type { JsonObject } from '../json.ts'
import type { Page } from '../page/page.ts'
import type { Text } from '../ports.ts'
import { checkFields, type FieldError } from './check-fields.ts'
import { createModel, type Model } from './model.ts'

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
 * Judges posted values as the page itself would: the same rules, the same visibility, the same messages.
 *
 * @returns the faults, and the values of the fields that a user could see: a hidden field's value is not trusted
 */
export function validateValues(submission: Submission): Verdict {
  return judge(submission, submittedModel(submission))
}

export interface Verdict {
  readonly errors: readonly FieldError[]
  readonly values: JsonObject
}

/** The page as it is with the posted values. */
export function submittedModel(submission: Submission): Model {
  let rows = 0
  return createModel({ ...submission, newRowId: () => `id${++rows}` })
}

function judge(submission: Submission, model: Model): Verdict {
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
