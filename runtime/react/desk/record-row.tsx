import { type CSSProperties, lazy, memo, Suspense, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { itemsOf } from '../../core/model/items.ts'
import type { ListColumn } from '../../core/widgets/columns.ts'
import { colouredItems } from '../../core/widgets/values.ts'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { ChosenTags } from '../kit/word-tag.tsx'
import { fetchPart } from '../page/fetch-part.ts'
import { objectsOf, textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { DRAGGED_ROWS } from '../rows/dragged-rows.ts'
import type { Selecting } from '../rows/select-rows.tsx'
import type { Cells } from './use-cells.ts'

const EditableCell = lazy(() => fetchPart(() => import('./cells/editable-cell.tsx')))

interface Props {
  readonly state: NodeState
  readonly row: JsonObject
  readonly index: number
  readonly columns: readonly ListColumn[]
  readonly style: CSSProperties
  readonly selecting: Selecting
  readonly chosen: boolean
  /** Its record is open beside the list. */
  readonly opened: boolean
  /** Editing of the cells of this row; null if they are read-only. */
  readonly cells: Cells | null
  readonly id: string
  /** The only row in the tab order. */
  readonly current: boolean
  /** Dictionaries that texts use: their arrival renders the row again. */
  readonly dict: JsonObject
  readonly onReach: (index: number) => void
}

/** A row of the table. It renders only when the row, its selection or the columns change. */
export const RecordRow = memo(function RecordRow({
  state,
  row,
  index,
  columns,
  style,
  selecting,
  chosen,
  opened,
  cells,
  id,
  current,
  dict,
  onReach,
}: Props) {
  const engine = useEngine()
  const t = useText()
  const fire = useFire(state, row)
  const { now, begin } = selecting
  const toggle = now === null ? begin : now.toggle
  const texts = columns.map(({ text }) => engine.fill(text, row))
  const shown = ({ name, choices }: ListColumn, at: number) => {
    const chosen = choices === null ? null : colouredItems(row[name] ?? null, itemsOf(choices, dict))
    return chosen === null ? texts[at] : <ChosenTags items={chosen} />
  }
  const opens = listensTo(state, 'rowClick', row)
  // Only rendered for a hovered or focused row, so that scrolling stays cheap.
  const [isPointed, setPointed] = useState(false)
  // After the first focus or hover the cells stay editable ones: one of them may show an undo.
  const [isMet, setMet] = useState(false)
  if (!isMet && cells?.open?.row === id) setMet(true)
  const actions = now === null && (isPointed || current) ? objectsOf(state.options.swipe) : []
  const editable = new Set((cells?.editable(row) ?? []).map(({ name }) => name))
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
      draggable={state.options.draggable === true}
      onDragStart={({ dataTransfer }) =>
        dataTransfer.setData(DRAGGED_ROWS, (chosen && now !== null ? [...now.keys] : [id]).join('\n'))
      }
      onFocus={() => onReach(index)}
      onMouseEnter={() => {
        setPointed(true)
        setMet(true)
      }}
      onMouseLeave={() => setPointed(false)}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest(CONTROLS) !== null) return
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
      {columns.map((column, at) => (
        <Cell key={column.name} className={lookOf(column, editable.has(column.name))} title={texts[at]}>
          {cells !== null && isMet && editable.has(column.name) ? (
            <Suspense fallback={shown(column, at)}>
              <EditableCell {...{ cells, row, id, column, shown: shown(column, at) }} />
            </Suspense>
          ) : column.url === '' ? (
            shown(column, at)
          ) : (
            <button
              type="button"
              tabIndex={current ? 0 : -1}
              className="vf-link"
              onClick={() => engine.ports.navigator.open(engine.fill(column.url, row))}
            >
              {texts[at]}
            </button>
          )}
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

/** Selects controls, where a click does not open the row. */
const CONTROLS = 'button, label, input, select'

function lookOf({ atEnd, primary }: ListColumn, isEditable: boolean): string {
  const look = atEnd ? 'vf-record-end' : primary ? 'vf-record-name' : ''
  return isEditable ? `${look} vf-cell` : look
}

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
