import type { CSSProperties } from 'react'
import type { JsonObject } from '../../core/json.ts'
import { type ColumnPlace, GRID_COLUMNS, gutterOf, placeColumns } from '../../core/widgets/grid-lines.ts'
import { useAtLeast } from '../kit/use-is-desktop.ts'
import { numberOf } from '../page/options.ts'
import { useNodes } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { WidgetView } from '../page/widget-view.tsx'

/** Columns in lines of 24; hidden ones leave their space to the next. */
export function View({ state }: ViewProps) {
  const columns = useNodes(state.children).filter(({ hidden }) => !hidden)
  const [isSmall, isMedium] = [useAtLeast(768), useAtLeast(992)]
  const width = isMedium ? 'md' : isSmall ? 'sm' : 'xs'
  const places = placeColumns(columns.map(({ options }) => wishOf(options, width)))
  const gutter = numberOf(state.options.gutter, 0)
  const height = numberOf(state.options.colHeight, 0)
  return (
    <div className="vf-grid">
      {columns.map(({ key }, i) => (
        <div key={key} style={styleOf(places[i] ?? WHOLE, gutter, height)}>
          <WidgetView nodeKey={key} />
        </div>
      ))}
    </div>
  )
}

type Width = 'xs' | 'sm' | 'md'

const WHOLE: ColumnPlace = { line: 0, start: 0, span: GRID_COLUMNS, moved: 0 }

/** A column without a span is as wide as the grid. */
function wishOf(options: JsonObject, width: Width) {
  return {
    // Responsive columns have a span per screen width (px, as in Element).
    span: numberOf(options[options.responsive === true ? width : 'span'], GRID_COLUMNS),
    offset: numberOf(options.offset, 0),
    moved: numberOf(options.push, 0) - numberOf(options.pull, 0),
  }
}

/** If the gap is wider than a narrow column, the column keeps a fifth of its width instead of pushing others off the screen. */
function styleOf(place: ColumnPlace, gutter: number, height: number): CSSProperties {
  const { line, start, span, moved } = place
  const [before, after] = gutterOf(place, gutter)
  return {
    gridRow: line + 1,
    gridColumn: `${start + 1} / span ${span}`,
    ...(gutter > 0 ? { paddingLeft: `min(${before}px, 40%)`, paddingRight: `min(${after}px, 40%)` } : {}),
    ...(height > 0 ? { minHeight: height } : {}),
    ...(moved === 0 ? {} : { position: 'relative', left: `${(moved / span) * 100}%` }),
  }
}
