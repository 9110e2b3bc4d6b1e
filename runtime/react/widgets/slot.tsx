import type { ViewProps } from '../page/view.ts'

/** The host fills it through its element, found by `data-slot`. */
export function View({ state }: ViewProps) {
  return <div data-slot={state.node.name} />
}
