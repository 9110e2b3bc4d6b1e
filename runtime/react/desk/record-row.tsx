import { type CSSProperties, memo, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ListColumn } from '../../core/widgets/columns.ts'
import { objectsOf, textOf } from '../options.ts'
import { useEngine, useText } from '../page-context.ts'
import type { Selecting } from '../select-rows.tsx'
import { uniqueKeys } from '../unique-keys.ts'
import { listensTo, useFire } from '../use-fire.ts'

interface Props {
  readonly state: NodeState
  readonly row: JsonObject
  readonly index: number
  readonly columns: readonly ListColumn[]
  readonly style: CSSProperties
  readonly selecting: Selecting
  readonly chosen: boolean
  /** Its record stands open beside the list. */
  readonly opened: boolean
  /** The one row that the tab key reaches. */
  readonly current: boolean
  /** What texts read beside the row: drawn again when it came. */
  readonly dict: JsonObject
  readonly onReach: (index: number) => void
}

/** A row of the table, drawn again only when it, its being chosen or the columns have changed. */
export const RecordRow = memo(function RecordRow({
  state,
  row,
  index,
  columns,
  style,
  selecting,
  chosen,
  opened,
  current,
  onReach,
}: Props) {
  const engine = useEngine()
  const t = useText()
  const fire = useFire(state, row)
  const { now, begin } = selecting
  const toggle = now === null ? begin : now.toggle
  const texts = columns.map(({ text }) => engine.fill(text, row))
  const opens = listensTo(state, 'rowClick')
  // Made for the row that is pointed at or reached: scrolling makes none.
  const [isPointed, setPointed] = useState(false)
  const actions = now === null && (isPointed || current) ? objectsOf(state.options.swipe) : []
  const keys = uniqueKeys(actions.map((action) => textOf(action.name)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed one by one, which a table cannot
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table hears its keys
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={toggle === undefined ? undefined : chosen}
      aria-current={opened || undefined}
      tabIndex={current ? 0 : -1}
      data-row={index}
      className={`vf-record${chosen ? ' vf-picked' : ''}${opens ? ' vf-pressable' : ''}`}
      style={style}
      onFocus={() => onReach(index)}
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button, label') !== null) return
        if (now !== null) now.toggle(row)
        else if (opens) void fire('rowClick', [row])
      }}
    >
      {toggle === undefined ? null : (
        <Cell>
          <label className="vf-record-box">
            <input
              type="checkbox"
              tabIndex={-1}
              checked={chosen}
              disabled={now?.full === true && !chosen}
              aria-label={t('list.pick.row', { name: texts[0] ?? '' })}
              onChange={() => toggle(row)}
            />
          </label>
        </Cell>
      )}
      {columns.map(({ name, atEnd, primary }, at) => (
        <Cell
          key={name}
          className={atEnd ? 'vf-record-end' : primary ? 'vf-record-name' : undefined}
          title={texts[at]}
        >
          {texts[at]}
        </Cell>
      ))}
      {actions.length === 0 ? null : (
        <Cell className="vf-record-acts">
          {actions.map((action, at) => (
            <button
              key={keys[at]}
              type="button"
              tabIndex={current ? 0 : -1}
              onClick={() => void fire('swipe', [textOf(action.name), row])}
            >
              {textOf(action.label)}
            </button>
          ))}
        </Cell>
      )}
    </div>
  )
})

interface CellProps {
  readonly className?: string | undefined
  readonly title?: string | undefined
  readonly children: React.ReactNode
}

function Cell({ className, title, children }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above; the row takes the focus
    <div role="gridcell" className={className} title={title}>
      {children}
    </div>
  )
}
