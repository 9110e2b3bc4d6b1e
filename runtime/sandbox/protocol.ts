import type { Json, JsonObject } from '../core/json.ts'
import type {
  Batch,
  HookCall,
  Outcome,
  ScriptContext,
  ScriptLimits,
  ScriptRead,
  ScriptReport,
  Write,
} from '../core/ports.ts'
import type { ReplicaStart } from '../core/scripts/replica-state.ts'

/** Messages from the page to its script worker. Plain data only. */
export type ToWorker =
  | {
      readonly type: 'open'
      readonly document: JsonObject
      readonly limits: ScriptLimits
      readonly start: ReplicaStart
      readonly strikes: readonly (readonly [string, number])[]
      /** Somebody inspects the page: runs report what they read. */
      readonly reads?: boolean
    }
  | { readonly type: 'turn'; readonly turn: number; readonly writes: readonly Write[] }
  | { readonly type: 'context'; readonly context: ScriptContext }
  | { readonly type: 'fire'; readonly job: number; readonly call: HookCall }
  | { readonly type: 'ask'; readonly job: number; readonly call: HookCall }
  | {
      readonly type: 'settle'
      readonly job: number
      readonly request: number
      readonly ok: boolean
      readonly value: Json
    }
  | { readonly type: 'close' }

/** Job number of `functions`, which run whenever an engine was created. */
export const OPENING = 0

/** Messages from the worker. `began` and `ended` enclose each run: in between the watchdog counts the time. */
export type FromWorker =
  | { readonly type: 'began'; readonly job: number }
  | { readonly type: 'ended'; readonly job: number; readonly done: readonly Done[] }
  | { readonly type: 'report'; readonly report: ScriptReport }
  /** The engine is damaged: this worker must be replaced. */
  | { readonly type: 'broken' }

/** The effects of a run in order. They are sent as one message, so that no answer or request arrives before the writes that precede it. */
export type Done =
  | { readonly type: 'batch'; readonly batch: Batch }
  | { readonly type: 'request'; readonly id: number; readonly name: string; readonly args: readonly Json[] }
  | { readonly type: 'reads'; readonly reads: readonly ScriptRead[] }
  | { readonly type: 'answer'; readonly ask: number; readonly outcome: Outcome<Json> }

/** The other side of a worker, whatever its implementation. */
export interface Endpoint {
  /** Sends several messages as one, because sending costs more than their contents. */
  send(messages: readonly ToWorker[]): void
  /** Terminates it immediately, even in the middle of a loop. */
  terminate(): void
}

/** Starts a worker; `onFailure` is called if it dies by itself. */
export type OpenEndpoint = (
  onMessage: (message: FromWorker) => void,
  onFailure: (reason: string) => void,
) => Endpoint
