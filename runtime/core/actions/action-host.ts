import type { Json, JsonObject } from '../json.ts'
import type { RuleBound } from '../model/node-state.ts'
import type { NodeKey } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Outcome, Ports } from '../ports.ts'

/** One step of an action list, as written: `{ do, if?, … }` (PAGE-FORMAT, "Actions"). */
export type Action = JsonObject

/** What a running list carries from step to step. */
export interface ActionFrame {
  /** The data row the event came from. */
  readonly row?: JsonObject
  /** The widget whose event it is; absent for the page's own events. In a sub-form it tells the row. */
  readonly at?: NodeKey
  /** Arguments of the event. */
  readonly args?: readonly Json[]
  /** The user's own act started the list: what it sets counts as typed. */
  readonly acted?: boolean
  /** The page is being opened: what it sets leaves alone what the user has typed, in the version before this one too. */
  readonly opening?: boolean
  readonly result?: Json
  readonly error?: Json
}

/** What the actions act on; the engine is one. */
export interface ActionHost {
  readonly ports: Ports
  /** Hears of a rule that has no answer. */
  readonly onBound?: (bound: RuleBound) => void
  scope(frame: ActionFrame): Scope
  /** Fills a text; a text that is one single place keeps the type of what it names. */
  fill(text: string, frame: ActionFrame): Json
  request(name: string, variables: JsonObject, frame: ActionFrame): Promise<Outcome<Json>>
  /** Validates, sends once, settles field messages and collisions. `null`: nothing was sent and the user knows why. */
  submit(action: Action, frame: ActionFrame): Promise<Outcome<Json> | null>
  /** True when everything shown is valid; otherwise the first fault was brought into view. */
  validateAndReveal(): Promise<boolean>
  /** What a data source would send now; null where it would not ask. */
  asked(name: string): Json
  /** Sets a field or all rows of a sub-form; a name of the event's own row means the field of that row. */
  setField(name: string, value: Json, frame: ActionFrame): void
  setData(name: string, value: Json): void
  setOption(name: string, option: string, value: Json): void
  refresh(name: string | undefined): Promise<void>
  pickFiles(name: string): void
  emit(name: string, args: readonly Json[]): void
}
