import { type CSSProperties, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import {
  carriedColumns,
  type ListColumn,
  readColumns,
  roomOf,
  shownColumns,
} from '../../core/widgets/columns.ts'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import { type Selecting, SelectionHead } from '../rows/select-rows.tsx'
import type { Rows } from '../rows/use-rows.ts'
import { Windowed } from '../rows/windowed.tsx'
import { cellWidth } from './cell-width.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { tracksOf, withFloors, writtenOnce } from './number-room.ts'
import { OpenedBeside } from './opened-beside.ts'
import { RecordRow } from './record-row.tsx'
import { TableHead } from './table-head.tsx'
import { useCells } from './use-cells.ts'
import { useColumnChoice } from './use-column-choice.ts'
import { useRowKeys } from './use-row-keys.ts'
import './records.css'

const ROW_PX = 40
const BOX_PX = 44
const END_PX = 44
/** Font size of the table in `records.css`; the user's text size scales it. */
const TEXT_PX = 14
/** Pause in milliseconds after which the focused row is opened; rows passed with a held key are not. */
const REST_MS = 160

interface Props {
  readonly state: NodeState
  readonly rows: readonly JsonObject[]
  readonly keyAt: (index: number) => string
  readonly keyOf: (row: JsonObject) => string
  readonly selecting: Selecting
  readonly paging: Rows | undefined
}

/** The rows of a list as a table in a wide window: columns can be chosen, sorted and resized, rows are navigable by keyboard. */
export default function RecordTable({ state, rows, keyAt, keyOf, selecting, paging }: Props) {
  const t = useText()
  const { dict, user } = useScope()
  const fire = useFire(state)
  const root = useRef<HTMLDivElement>(null)
  const [{ room, text, font }, watch] = useRoom()
  const engine = useEngine()
  const source = engine.page.dataSources.get(textOf(state.options.dsName))
  const rowsOf = textOf(ownValue(source, 'requestURL')) || textOf(state.options.bind)
  const [choice, choose] = useColumnChoice(`columns.${rowsOf}`)
  const { now, begin } = selecting
  const picks = begin !== undefined || now !== null
  const rest = (picks ? BOX_PX : 0) + END_PX
  const carried = useMemo(
    () =>
      carriedColumns(
        readColumns(state.options.columns, (rule) => isFor(rule, user)),
        rows,
      ),
    [state.options.columns, rows, user],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of numbers may use dictionaries
  const write = useMemo(
    () => writtenOnce((column, row) => engine.fill(column.text, row)),
    [state.options.columns, engine, dict],
  )
  const measured = useMemo(
    () => withFloors(carried, rows, write, cellWidth(font)),
    [carried, rows, write, font],
  )
  const free = Math.max(0, room - rest)
  const columns = useMemo(() => shownColumns(measured, choice, free, text), [measured, choice, free, text])
  const style = useMemo(() => gridOf(tracksOf(columns, free, text), picks), [columns, free, picks, text])
  const toggle = now === null ? begin : now.toggle
  const opened = useContext(OpenedBeside)
  const { navigator } = engine.ports
  const open = (index: number) => {
    const row = rows[index]
    if (row !== undefined && listensTo(state, 'rowClick', row)) void fire('rowClick', [row], row)
  }
  const openSoon = useSoon()
  const cells = useCells(columns, textOf(state.options.dsName))
  const { current, setCurrent, keys, onReady } = useRowKeys(root, rows.length, {
    open,
    // With a record beside the list, the record follows the keyboard focus.
    ...(opened !== null && { reach: (index: number) => openSoon(() => open(index)) }),
    toggle(index) {
      const row = rows[index]
      if (row !== undefined) toggle?.(row)
    },
    edit(index) {
      const row = rows[index]
      const [first] = row === undefined || now !== null ? [] : cells.editable(row)
      if (row !== undefined && first !== undefined) cells.edit({ row: keyOf(row), column: first.name })
    },
    stop() {
      if (now !== null) now.stop()
      else if (opened !== null) navigator.back(1)
    },
    selecting: now !== null,
  })
  const draw = useCallback(
    (index: number) => {
      const row = rows[index]
      if (row === undefined) return null
      return (
        <RecordRow
          state={state}
          row={row}
          index={index}
          columns={columns}
          style={style}
          selecting={selecting}
          chosen={now?.keys.has(keyOf(row)) === true}
          opened={opened !== null && Object.values(opened).includes(keyOf(row))}
          cells={now === null ? cells : null}
          id={keyOf(row)}
          current={index === current}
          dict={dict}
          onReach={setCurrent}
        />
      )
    },
    [state, rows, columns, style, selecting, now, keyOf, opened, cells, current, dict, setCurrent],
  )
  const sum = columns.reduce((all, column) => all + roomOf(column, text), 0)
  const scale = (column: ListColumn) =>
    Math.max(0.1, ((room - rest) / sum) * (roomOf(column, text) / column.width))
  return (
    <div ref={watch} className="vf-records">
      {now === null ? null : <SelectionHead selection={now} count={rows.length} />}
      {/* biome-ignore lint/a11y/useSemanticElements: rows are placed one by one, which a table cannot */}
      <div
        ref={root}
        role="grid"
        aria-label={state.label || t('list.table')}
        aria-rowcount={paging?.hasMore === true ? -1 : rows.length + 1}
        aria-multiselectable={picks || undefined}
        onKeyDown={keys}
      >
        {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above */}
        <div role="row" aria-rowindex={1} className="vf-record vf-record-heads" style={style}>
          {picks ? <HeadBox selecting={selecting} rows={rows} /> : null}
          <TableHead
            columns={columns}
            scale={scale}
            onWidth={(name, px) => choose({ ...choice, widths: { ...choice.widths, [name]: px } })}
          />
          <ColumnChooser all={carried} shown={columns} choice={choice} onChoose={choose} />
        </div>
        <Windowed count={rows.length} keyAt={keyAt} height={ROW_PX} draw={draw} onReady={onReady} />
      </div>
    </div>
  )
}

/** Debounces: runs the last action after a pause. */
function useSoon(): (act: () => void) => void {
  const { clock } = useEngine().ports
  const cancel = useRef(() => {})
  useEffect(() => () => cancel.current(), [])
  return useCallback(
    (act) => {
      cancel.current()
      cancel.current = clock.after(REST_MS, act)
    },
    [clock],
  )
}

/** Whether a column's rule is true for the user. It depends on nothing else, so that typing does not render the rows again. */
const isFor = (rule: Json, user: JsonObject): boolean =>
  isTruthy(applyRule(rule, { form: {}, params: {}, dict: {}, data: {}, user }))

/** The columns between the boxes for selecting and the actions. */
const gridOf = (tracks: readonly string[], picks: boolean): CSSProperties => ({
  gridTemplateColumns: [...(picks ? [`${BOX_PX}px`] : []), ...tracks, `${END_PX}px`].join(' '),
})

interface Room {
  /** Available width of a row in px. */
  readonly room: number
  /** Factor of the user's text size, by which columns need more width. */
  readonly text: number
  /** Font of the cells; '' while unknown. */
  readonly font: string
}

/** The available width, updated when it changes. */
function useRoom(): readonly [Room, (element: HTMLElement | null) => (() => void) | undefined] {
  const [room, setRoom] = useState<Room>({ room: 0, text: 1, font: '' })
  const watch = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const measure = () => {
      const px = element.clientWidth
      const { fontSize, fontFamily } = getComputedStyle(element)
      const font = `${fontSize} ${fontFamily}`
      const text = Number.parseFloat(fontSize) / TEXT_PX
      if (px > 0) setRoom((was) => (was.room === px && was.font === font ? was : { room: px, text, font }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [room, watch]
}

/** Selects all loaded rows, or none. */
function HeadBox({
  selecting,
  rows,
}: {
  readonly selecting: Selecting
  readonly rows: readonly JsonObject[]
}) {
  const t = useText()
  const { now, all } = selecting
  const isAll = now !== null && now.keys.size > 0 && (now.full || now.keys.size >= rows.length)
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above
    <div role="columnheader" aria-label={t('list.pick.mode')}>
      <label className="vf-record-box">
        <input
          type="checkbox"
          checked={isAll}
          aria-label={t('list.pick.all')}
          onChange={isAll ? now.none : all}
        />
      </label>
    </div>
  )
}
