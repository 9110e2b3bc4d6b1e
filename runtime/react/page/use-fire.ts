import type { NodeState } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { useEngine } from './page-context.ts'

/** Fires an event of a widget, with its data row if it is in one; `own` is a row of the widget itself (a tile). */
export function useFire(state: NodeState, row?: JsonObject) {
  const engine = useEngine()
  return (name: string, args: readonly Json[] = [], own = row): Promise<void> =>
    engine.event(state.key, name, own === undefined ? { args } : { args, row: own })
}

/** True if the page or the widget handles that event: only then a card looks pressable. */
export function listensTo(state: NodeState, name: string): boolean {
  const { on } = state.node.options
  const hook = state.node.options[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`]
  const listed = typeof on === 'object' && on !== null && !Array.isArray(on) && Object.hasOwn(on, name)
  return listed || (typeof hook === 'string' && hook.trim() !== '')
}
