import type { JsonObject } from '../../../../runtime/core/json.ts'

/** What was published or reverted: for the audit row and for the caller. */
export interface ChangeSetResult {
  readonly recordId: string
  readonly detail: JsonObject
  readonly data: JsonObject
  /** People whose rights have changed. */
  readonly people?: readonly string[]
}
