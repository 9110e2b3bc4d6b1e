import type { JsonObject } from '../../core/json.ts'
import { numberOf } from '../options.ts'
import { useNode } from '../use-node.ts'
import type { ViewProps } from '../view.ts'
import { WidgetView } from '../widget-view.tsx'

const COLUMNS = 24

export function View({ state, body }: ViewProps) {
  return (
    <div className="vf-grid" style={{ columnGap: numberOf(state.options.gutter, 0) }}>
      {state.children.length > 0
        ? state.children.map((key) => (
            <Column key={key} nodeKey={key} height={numberOf(state.options.colHeight, 0)} />
          ))
        : body}
    </div>
  )
}

/** Spec §2: a column without a span is as wide as the grid. */
function Column({ nodeKey, height }: { readonly nodeKey: string; readonly height: number }) {
  const column = useNode(nodeKey)
  if (column.hidden) return null
  const { options } = column
  const span = Math.min(COLUMNS, Math.max(1, numberOf(options[spanName(options)], COLUMNS)))
  const offset = Math.min(COLUMNS - span, Math.max(0, numberOf(options.offset, 0)))
  const moved = numberOf(options.push, 0) - numberOf(options.pull, 0)
  return (
    <div
      style={{
        gridColumn: offset > 0 ? `${offset + 1} / span ${span}` : `span ${span}`,
        ...(height > 0 ? { minHeight: height } : {}),
        ...(moved === 0 ? {} : { position: 'relative', left: `${(moved / span) * 100}%` }),
      }}
    >
      <WidgetView nodeKey={nodeKey} />
    </div>
  )
}

/** The option a column takes its width from: responsive ones have one for each width of screen (px, as Element's). */
function spanName({ responsive }: JsonObject): 'span' | 'xs' | 'sm' | 'md' {
  if (responsive !== true) return 'span'
  return window.innerWidth < 768 ? 'xs' : window.innerWidth < 992 ? 'sm' : 'md'
}
