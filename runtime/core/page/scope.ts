import type { Json, JsonObject } from '../json.ts'

/** The roots that rules, binds and texts read. */
export interface Scope {
  readonly form: JsonObject
  readonly row?: JsonObject
  readonly params: JsonObject
  readonly user: JsonObject
  readonly dict: JsonObject
  readonly data: JsonObject
  /** Answer of the last request of the running action list. */
  readonly result?: Json
  /** Failure of the last request of the running action list. */
  readonly error?: Json
}
