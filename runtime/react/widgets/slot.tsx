import type { ViewProps } from '../page/view.ts'

/** The host finds its element by `data-slot` and fills it. */
export function View({ state }: ViewProps) {
  return <div data-slot={state.node.name} />
}
