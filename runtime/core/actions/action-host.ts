import type { Json, JsonObject } from '../json.ts'
import type { RuleBound } from '../model/node-state.ts'
import type { NodeKey } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Outcome, Ports } from '../ports.ts'

/** One step of an action list, as written: `{ do, if?, … }` (PAGE-FORMAT, "Actions"). */
export type Action = JsonObject

/** The context that a running list passes from step to step. */
export interface ActionFrame {
  /** The data row the event came from. */
  readonly row?: JsonObject
  /** The widget of the event; absent for the page's own events. In a sub-form it identifies the row. */
  readonly at?: NodeKey
  /** Arguments of the event. */
  readonly args?: readonly Json[]
  /** The list was started by the user: values it sets count as typed. */
  readonly acted?: boolean
  /** The page is being opened: values it sets do not replace what the user has typed, in this or an earlier version. */
  readonly opening?: boolean
  readonly result?: Json
  readonly error?: Json
}

/** What the actions operate on, such as the engine. */
export interface ActionHost {
  readonly ports: Ports
  /** Called for a rule that has no result. */
  readonly onBound?: (bound: RuleBound) => void
  scope(frame: ActionFrame): Scope
  /** Replaces the placeholders of a text; a text that is one single placeholder keeps the type of its value. */
  fill(text: string, frame: ActionFrame): Json
  request(name: string, variables: JsonObject, frame: ActionFrame): Promise<Outcome<Json>>
  /** Validates, sends once, handles field messages and conflicts. `null`: nothing was sent and the user knows why. */
  submit(action: Action, frame: ActionFrame): Promise<Outcome<Json> | null>
  /** True if everything shown is valid; otherwise the first error was scrolled into view. */
  validateAndReveal(): Promise<boolean>
  /** The current request of a data source; null if it would send none. */
  asked(name: string): Json
  /** Sets a field or all rows of a sub-form; a name in the event's own row means the field of that row. */
  setField(name: string, value: Json, frame: ActionFrame): void
  setData(name: string, value: Json): void
  setOption(name: string, option: string, value: Json): void
  refresh(name: string | undefined): Promise<void>
  pickFiles(name: string): void
  emit(name: string, args: readonly Json[]): void
}
