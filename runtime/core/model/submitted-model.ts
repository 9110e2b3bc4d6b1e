import type { JsonObject } from '../json.ts'
import type { Page } from '../page/page.ts'
import type { Text } from '../ports.ts'
import { createModel, type Model } from './model.ts'

/** The posted values of a form. */
export interface Submission {
  readonly page: Page
  readonly values: JsonObject
  readonly text: Text
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
}

/** The page with the posted values. */
export function submittedModel(submission: Submission): Model {
  let rows = 0
  return createModel({ ...submission, newRowId: () => `id${++rows}` })
}
