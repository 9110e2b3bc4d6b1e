import type { ViewProps } from '../view.ts'

export function View({ state, body }: ViewProps) {
  return state.node.widget.merged === true ? null : body
}
