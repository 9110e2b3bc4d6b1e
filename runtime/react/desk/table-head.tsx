import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import {
  clampWidth,
  type Direction,
  directionOf,
  type ListColumn,
  MAX_WIDTH_PX,
  MIN_WIDTH_PX,
  nextOrder,
} from '../../core/widgets/columns.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'

/** The data field of a page that holds the sort of its list. */
const ORDER = 'sort'
const STEP_PX = 16

interface Props {
  readonly columns: readonly ListColumn[]
  /** Screen px per px of a column's width. */
  readonly scale: (column: ListColumn) => number
  readonly onWidth: (name: string, px: number) => void
}

const ARIA: Readonly<Record<Direction, 'ascending' | 'descending'>> = { asc: 'ascending', desc: 'descending' }

/** The column heads: a click sorts, their edges resize. */
export function TableHead({ columns, scale, onWidth }: Props) {
  const engine = useEngine()
  const { form } = useScope()
  const order = form[ORDER]
  const field = engine.find(ORDER)
  return columns.map((column) => {
    const direction = directionOf(column, order)
    return (
      // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are placed one by one, which a table cannot; its button takes the focus
      <div
        key={column.name}
        role="columnheader"
        aria-sort={direction === null ? undefined : ARIA[direction]}
        className={column.atEnd ? 'vf-record-end' : undefined}
      >
        {column.sort === '' || field === undefined ? (
          <span>{column.label}</span>
        ) : (
          <button type="button" onClick={() => engine.change(field, nextOrder(column, order))}>
            <span>{column.label}</span>
            <i aria-hidden="true">{direction === null ? '' : direction === 'asc' ? '↑' : '↓'}</i>
          </button>
        )}
        <Edge column={column} scale={scale} onWidth={onWidth} />
      </div>
    )
  })
}

interface EdgeProps {
  readonly column: ListColumn
  readonly scale: (column: ListColumn) => number
  readonly onWidth: (name: string, px: number) => void
}

/** The right edge of a column: dragged with the pointer, or moved by the arrow keys. */
function Edge({ column, scale, onWidth }: EdgeProps) {
  const { name, label, width } = column
  const t = useText()
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const move = (event: PointerEvent) => {
    if (from.current === null) return
    onWidth(name, clampWidth(from.current.width + (event.clientX - from.current.x) / scale(column)))
  }
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -STEP_PX : event.key === 'ArrowRight' ? STEP_PX : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    onWidth(name, clampWidth(width + by))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is no rule between paragraphs
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('list.columns.width', { name: label })}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH_PX}
      aria-valuemax={MAX_WIDTH_PX}
      className="vf-record-edge"
      onKeyDown={keys}
      onPointerDown={(event) => {
        from.current = { x: event.clientX, width }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={move}
      onPointerUp={() => {
        from.current = null
      }}
    />
  )
}
