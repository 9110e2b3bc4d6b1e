import { numberOf } from '../options.ts'
import { useNode } from '../use-node.ts'
import type { ViewProps } from '../view.ts'
import { WidgetView } from '../widget-view.tsx'

const COLUMNS = 24

export function View({ state, body }: ViewProps) {
  return (
    <div className="vf-grid" style={{ columnGap: numberOf(state.options.gutter, 0) }}>
      {state.children.length > 0 ? state.children.map((key) => <Column key={key} nodeKey={key} />) : body}
    </div>
  )
}

/** Spec §2: a column without a span is as wide as the grid. */
function Column({ nodeKey }: { readonly nodeKey: string }) {
  const column = useNode(nodeKey)
  if (column.hidden) return null
  const span = Math.min(COLUMNS, Math.max(1, numberOf(column.options.span, COLUMNS)))
  const offset = Math.min(COLUMNS - span, Math.max(0, numberOf(column.options.offset, 0)))
  return (
    <div style={{ gridColumn: offset > 0 ? `${offset + 1} / span ${span}` : `span ${span}` }}>
      <WidgetView nodeKey={nodeKey} />
    </div>
  )
}
