import { lazy, memo, type ReactNode, Suspense, useCallback, useContext, useMemo } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { Pressable } from '../kit/pressable.tsx'
import { FrameWidth, useWideWindow } from '../kit/use-is-desktop.ts'
import { useLongPress } from '../kit/use-long-press.ts'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine, useText, WindowScroll } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { useTemplate } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { TemplateViews } from '../page/widget-view.tsx'
import { useBoundSource } from '../rows/bound-source.ts'
import { EmptyNote } from '../rows/empty-note.tsx'
import { FailedRows } from '../rows/failed-rows.tsx'
import { RowsEnd } from '../rows/rows-end.tsx'
import { PickCard, type Selecting, SelectionHead, useSelection } from '../rows/select-rows.tsx'
import { Skeletons } from '../rows/skeletons.tsx'
import { SwipeRow } from '../rows/swipe-row.tsx'
import { tablePart } from '../rows/table-part.ts'
import { type Rows, rowsIn, useRows } from '../rows/use-rows.ts'
import { Windowed } from '../rows/windowed.tsx'

/** Never loaded by phones. */
const RecordTable = lazy(tablePart)
/** Maximum number of rows that are all drawn. */
const PLAIN = 20

export function View({ state }: ViewProps) {
  return textOf(state.options.dsName) === '' ? <BoundList state={state} /> : <SourceList state={state} />
}

function BoundList({ state }: { readonly state: NodeState }) {
  const rows = rowsIn(state.value, 'list')
  const source = useBoundSource(useEngine(), textOf(state.options.bind))
  if (source.state === 'failed') return <FailedRows state={state} rows={source} />
  if (rows.length > 0) return <Cards state={state} rows={rows} />
  if (source.state === 'ready') return <NoRows state={state} />
  return <Skeletons count={2} height={numberOf(state.options.itemHeight, 120) - 32} />
}

function SourceList({ state }: { readonly state: NodeState }) {
  const rows = useRows(useEngine(), textOf(state.options.dsName))
  if (rows.state === 'loading') return <Skeletons height={numberOf(state.options.itemHeight, 120) - 32} />
  if (rows.state === 'failed') return <FailedRows state={state} rows={rows} />
  if (rows.rows.length === 0) return <NoRows state={state} />
  return (
    <div aria-busy={rows.refreshing || undefined} className={rows.refreshing ? 'vf-refreshing' : ''}>
      <Total state={state} answer={rows.answer} />
      <Cards state={state} rows={rows.rows} paging={rows} />
      <RowsEnd rows={rows} end={textOf(state.options.end)} />
    </div>
  )
}

function Total({ state, answer }: { readonly state: NodeState; readonly answer: Json }) {
  const t = useText()
  const path = textOf(state.options.total)
  const total = path === '' ? undefined : valueAt(answer, path)
  if (typeof total !== 'number') return null
  const words = textOf(state.options.totalText)
  return (
    <p className="vf-total">
      {words === '' ? t('list.total', { total }) : words.replace('{total}', String(total))}
    </p>
  )
}

function NoRows({ state }: { readonly state: NodeState }) {
  const t = useText()
  const fire = useFire(state)
  return (
    <EmptyNote
      text={textOf(state.options.empty) || t('list.empty')}
      action={textOf(state.options.emptyAction)}
      onAction={() => void fire('emptyClick')}
    />
  )
}

interface CardsProps {
  readonly state: NodeState
  readonly rows: readonly JsonObject[]
  readonly paging?: Rows
}

function Cards({ state, rows, paging }: CardsProps) {
  const { options } = state
  const scrollsWithWindow = useContext(WindowScroll)
  const rowKey = textOf(options.rowKey) || 'id'
  const keyOf = useCallback((row: JsonObject) => textOf(row[rowKey]), [rowKey])
  const selecting = useSelection(state, rows, keyOf)
  const keys = useMemo(() => rows.map((row, index) => keyOf(row) || `#${index}`), [rows, keyOf])
  const keyAt = useCallback((index: number) => keys[index] ?? '', [keys])
  const isPage = useContext(FrameWidth) !== null || scrollsWithWindow
  const isTable = useWideWindow() && isPage && objectsOf(options.columns).length > 0
  const height = numberOf(options.itemHeight, 120)
  const gap = options.flat === true ? 0 : numberOf(options.gap, 8)
  const look = options.flat === true ? 'vf-list vf-flat' : 'vf-list'
  const draw = (index: number): ReactNode => {
    const row = rows[index]
    if (row === undefined) return null
    const chosen = selecting.now?.keys.has(keyOf(row)) === true
    return <Card state={state} row={row} chosen={chosen} selecting={selecting} />
  }
  if (isTable)
    return (
      <Suspense fallback={<Skeletons height={height - 32} />}>
        <RecordTable {...{ state, rows, keyAt, keyOf, selecting, paging }} />
      </Suspense>
    )
  const head = selecting.now === null ? null : <SelectionHead selection={selecting.now} count={rows.length} />
  return (
    <>
      {head}
      {rows.length > PLAIN && scrollsWithWindow ? (
        <Windowed className={look} count={rows.length} {...{ keyAt, height, draw, gap }} />
      ) : (
        <div className={look} style={{ display: 'grid', gap }}>
          {rows.map((_, index) => (
            <div key={keyAt(index)}>{draw(index)}</div>
          ))}
        </div>
      )}
    </>
  )
}

interface CardProps {
  readonly state: NodeState
  readonly row: JsonObject
  readonly chosen: boolean
  readonly selecting: Selecting
}

/** One row. It renders only when the row, its selection or the data of its texts change, so scrolling renders only new rows. */
const Card = memo(function Card({ state, row, chosen, selecting }: CardProps) {
  const t = useText()
  const fire = useFire(state, row)
  const inner = <TemplateViews nodes={useTemplate(state.key, row)} row={row} />
  const { now, begin } = selecting
  const hold = () => {
    begin?.(row)
    void fire('rowLongPress', [row])
  }
  const holds = now === null && (begin !== undefined || listensTo(state, 'rowLongPress'))
  const longPress = useLongPress(holds ? hold : undefined)
  if (now !== null) {
    const label = t('list.pick.row', { name: textOf(row.name) })
    return (
      <PickCard chosen={chosen} disabled={now.full} label={label} onToggle={() => now.toggle(row)}>
        {inner}
      </PickCard>
    )
  }
  const opens = listensTo(state, 'rowClick', row)
  const cardView = opens ? (
    <Pressable className="vf-card" role="link" onPress={() => void fire('rowClick', [row])}>
      {inner}
    </Pressable>
  ) : (
    <div className="vf-card">{inner}</div>
  )
  const card = holds ? (
    <div className="vf-held" {...longPress}>
      {cardView}
    </div>
  ) : (
    cardView
  )
  const actions = objectsOf(state.options.swipe)
  return actions.length === 0 ? (
    card
  ) : (
    <SwipeRow actions={actions} lazy={opens} onAction={(name) => void fire('swipe', [name, row])}>
      {card}
    </SwipeRow>
  )
})
