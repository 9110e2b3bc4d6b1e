import { numberOf, textOf } from '../page/options.ts'
import { useNode } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { WidgetView } from '../page/widget-view.tsx'

/** Cells side by side while they fit, else one below the other. */
export function View({ state }: ViewProps) {
  return (
    <div className="vf-table">
      {state.children.map((key) => (
        <Cell key={key} nodeKey={key} />
      ))}
    </div>
  )
}

/** A cell with a column span has its own line. */
function Cell({ nodeKey }: { readonly nodeKey: string }) {
  const { options, node, hidden } = useNode(nodeKey)
  if (hidden || node.widget.merged === true) return null
  const width = textOf(options.cellWidth)
  const height = textOf(options.cellHeight)
  return (
    <div
      style={{
        ...(numberOf(options.colspan, 1) > 1 ? { gridColumn: '1 / -1' } : {}),
        ...(numberOf(options.rowspan, 1) > 1 ? { gridRow: `span ${numberOf(options.rowspan, 1)}` } : {}),
        ...(width === '' ? {} : { width, maxWidth: '100%' }),
        ...(height === '' ? {} : { minHeight: height }),
        ...(options.wordBreak === true ? { wordBreak: 'break-all' } : {}),
      }}
    >
      <WidgetView nodeKey={nodeKey} />
    </div>
  )
}
