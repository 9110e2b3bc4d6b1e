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
  /** Arguments of the event that the running action list answers: `args.0`. */
  readonly args?: Json
}

/** First steps that name a root; any other first step is a field of the form. */
export const ROOTS: ReadonlySet<string> = new Set([
  'form',
  'row',
  'params',
  'user',
  'dict',
  'data',
  'result',
  'error',
  'args',
])

/** The path with its root written out: `f1` is `form.f1`. */
export function fullPath(path: string): string {
  const dot = path.indexOf('.')
  return ROOTS.has(dot < 0 ? path : path.slice(0, dot)) ? path : `form.${path}`
}
