import type { Json } from '../json.ts'
import type { ScriptReport } from '../ports.ts'

/** The limits that end a run; `fatal`: the engine itself may be damaged and must be discarded with its worker. */
export interface LimitHit {
  readonly code: Exclude<
    ScriptReport['code'],
    'SCRIPT_ERROR' | 'SCRIPT_STOPPED' | 'SCRIPT_UNAVAILABLE' | 'RULE_BUDGET'
  >
  readonly message: string
  readonly fatal: boolean
}

/** One call of compiled code. Only JSON text crosses into the guest. */
export interface GuestCall {
  /** Identifies the call in answers; unique in the session. */
  readonly id: number
  /** Identifies the code, once per hook of a widget: `onChange of amount`. Compiled at the first call. */
  readonly slot: string
  readonly code: string
  readonly params: readonly string[]
  /** The value of `this` in the code; null for handlers without one. */
  readonly self: { readonly kind: string; readonly key: string } | null
  /** One per parameter; `{ place }` stands for something only the guest can create (the form, a callback). */
  readonly args: readonly GuestArg[]
  /** The result is needed; otherwise only a failure is reported. */
  readonly wanted: boolean
}

export type GuestArg = { readonly json: Json } | { readonly place: 'form' | 'callback' | 'message' }

/** How the synchronous part of a call ended. */
export type GuestEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly message: string; readonly line?: number }
  | { readonly kind: 'limit'; readonly limit: LimitHit }

/** What the guest may call. `name` is a power of `script-api.ts`, or `@answer` / `@failed` with a call's id. */
export type HostCall = (name: string, args: readonly Json[]) => Json | undefined

/** A JavaScript engine that runs one page's scripts. Never throws; errors are in the {@link GuestEnd}. */
export interface ScriptVm {
  /** Starts the budget of a run; `now` is the time the script sees, which does not advance until the next run. */
  begin(now: number): void
  /** Runs statements at global level, once (`functions`, HOOKS 1.2). */
  load(code: string): GuestEnd
  /** Freezes the built-ins before the first call. Runs only our own code: needs no budget. */
  lock(): void
  /** Calls a hook; may be called again from within a host call (nested change hooks). */
  call(call: GuestCall): GuestEnd
  /** Answers a request of the script: settles its promise. */
  settle(request: number, outcome: { readonly ok: boolean; readonly value: Json }): GuestEnd
  /** Ends the run: processes promise jobs within the remaining budget. */
  finish(): GuestEnd
  /** Ends the run now: no more of it is executed. */
  abort(limit: LimitHit): void
  dispose(): void
}
