import type { JsonObject } from '../../../../runtime/core/json.ts'

/** What was published or taken back: for the audit row and for who asked. */
export interface SetWritten {
  readonly recordId: string
  readonly detail: JsonObject
  readonly data: JsonObject
  /** Whose rights are others now. */
  readonly people?: readonly string[]
}
