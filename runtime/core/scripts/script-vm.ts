import type { Json } from '../json.ts'
import type { ScriptReport } from '../ports.ts'

/** The limits that end a run; `fatal`: the engine itself may be damaged and must be thrown away with its worker. */
export interface LimitHit {
  readonly code: Exclude<ScriptReport['code'], 'SCRIPT_ERROR' | 'SCRIPT_STOPPED' | 'RULE_BUDGET'>
  readonly message: string
  readonly fatal: boolean
}

/** One call of compiled code. Only JSON text crosses into the guest. */
export interface GuestCall {
  /** Names the call in answers; unique in the session. */
  readonly id: number
  /** Names the code, once per hook of a widget: `onChange of amount`. Compiled at the first call. */
  readonly slot: string
  readonly code: string
  readonly params: readonly string[]
  /** What `this` is in the code; null for handlers without. */
  readonly self: { readonly kind: string; readonly key: string } | null
  /** One per parameter; `{ place }` stands for something only the guest can build (the form, a callback). */
  readonly args: readonly GuestArg[]
  /** The answer is wanted; otherwise only a failure is told. */
  readonly wanted: boolean
}

export type GuestArg = { readonly json: Json } | { readonly place: 'form' | 'callback' | 'message' }

/** How a call ended, as far as its first, synchronous stretch goes. */
export type GuestEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly message: string; readonly line?: number }
  | { readonly kind: 'limit'; readonly limit: LimitHit }

/** What the guest may call. `name` is a power of `script-api.ts`, or `@answer` / `@failed` with a call's id. */
export type HostCall = (name: string, args: readonly Json[]) => Json | undefined

/** A JavaScript engine that holds one page's scripts. Never throws; what goes wrong is in the {@link GuestEnd}. */
export interface ScriptVm {
  /** Starts the budget of a run; `now` is the time the script sees, standing still until the next run. */
  begin(now: number): void
  /** Runs statements at global level, once (`functions`, HOOKS 1.2). */
  load(code: string): GuestEnd
  /** Closes the built-ins for changes; before the first call. Our own code only: needs no budget. */
  lock(): void
  /** Calls a hook; may be called again from within a host call (nested change hooks). */
  call(call: GuestCall): GuestEnd
  /** Answers a request of the script: settles its promise. */
  settle(request: number, outcome: { readonly ok: boolean; readonly value: Json }): GuestEnd
  /** Ends the run: works off promise jobs within what is left of the budget. */
  finish(): GuestEnd
  /** Ends the run now: nothing of it runs any further. */
  abort(limit: LimitHit): void
  dispose(): void
}
