import type { NodeState } from '../../core/engine.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { textOf } from './options.ts'
import { useEngine } from './page-context.ts'

/** Fires an event of a widget, with its data row if it is in one; `own` is a row of the widget itself (a tile). */
export function useFire(state: NodeState, row?: JsonObject) {
  const engine = useEngine()
  return (name: string, args: readonly Json[] = [], own = row): Promise<void> =>
    engine.event(state.key, name, own === undefined ? { args } : { args, row: own })
}

/**
 * True if the page or the widget handles that event: only then a card looks pressable.
 *
 * @param row  of a list: the option `opens` may say that it does not open
 */
export function listensTo({ node: { options } }: NodeState, name: string, row?: JsonObject): boolean {
  const { on, opens } = options
  const hook = options[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`]
  if (row && opens && !valueAt(row, textOf(opens))) return false
  return (isObject(on) && Object.hasOwn(on, name)) || textOf(hook).trim() !== ''
}
