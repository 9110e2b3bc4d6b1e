import type { NodeState } from '../core/engine.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { useEngine } from './page-context.ts'

/** Announces an event of a widget, with its data row where it stands in one. */
export function useFire(state: NodeState, row?: JsonObject) {
  const engine = useEngine()
  return (name: string, args: readonly Json[] = []): Promise<void> =>
    engine.event(state.key, name, row === undefined ? { args } : { args, row })
}

/** True when the page or the widget does something on that event: only then a card looks like it can be pressed. */
export function listensTo(state: NodeState, name: string): boolean {
  const { on } = state.node.options
  const hook = state.node.options[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`]
  const listed = typeof on === 'object' && on !== null && !Array.isArray(on) && Object.hasOwn(on, name)
  return listed || (typeof hook === 'string' && hook.trim() !== '')
}
