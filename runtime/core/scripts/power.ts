import type { Json } from '../json.ts'
import type { Model, ValueChange } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Effect, HookCall, Write } from '../ports.ts'

/** The context of a power: the replica's page, and its effects. */
export interface PowerContext {
  readonly model: Model
  /** Host variables (`globalDsv`). */
  readonly variables: Json
  /** Writes state without running hooks. */
  write(writes: readonly Write[]): void
  /** Runs hooks now, inside the running one. */
  fire(calls: readonly HookCall[]): void
  /** Reports that a value was set: its change hooks run now, even for the same value (HOOKS 2.3). */
  changed(change: ValueChange): void
  effect(effect: Effect): void
  /** Sends a request to the page; returns the number under which the script's promise waits. */
  request(name: string, args: readonly Json[]): number
}

/** One granted power: JSON in, JSON out. Throws an Error whose message the script sees. */
export type Power = (context: PowerContext, args: readonly (Json | undefined)[]) => Json | undefined

export type Powers = Readonly<Record<string, Power>>

/** A text argument; numbers are converted, anything else is ''. */
export const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** A flag with VForm's default: a missing argument means true. */
export const flag = (value: Json | undefined): boolean => value === undefined || Boolean(value)

/** A text or a list of texts. */
export const names = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(text).filter((name) => name !== '')

/** The node of a reference. References to a deleted row still work, because its cells stay. */
export function nodeOf({ model }: PowerContext, key: NodeKey) {
  const node = model.pageNode(key)
  if (!node) throw new Error(`the page has no widget "${key}"`)
  return node
}
