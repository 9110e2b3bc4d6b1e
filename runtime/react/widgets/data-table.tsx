import { useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.ts'
import { itemsOf } from '../../core/model/items.ts'
import { columnsOf, pageOf, type TableColumn } from '../../core/widgets/data-table.ts'
import { labelsOf, plainText } from '../../core/widgets/values.ts'
import { Pressable } from '../kit/pressable.tsx'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { EmptyNote } from '../rows/empty-note.tsx'
import { FailedRows } from '../rows/failed-rows.tsx'
import { RowsEnd } from '../rows/rows-end.tsx'
import { Skeletons } from '../rows/skeletons.tsx'
import { rowsIn, useRows } from '../rows/use-rows.ts'
import '../styles/extra.css'

export function View({ state }: ViewProps) {
  const { options } = state
  if (options.dsEnabled !== false && textOf(options.dsName) !== '') return <SourceTable state={state} />
  const bound = rowsIn(state.value, 'list')
  return <Table state={state} rows={bound.length > 0 ? bound : objectsOf(options.tableData)} />
}

function SourceTable({ state }: { readonly state: NodeState }) {
  const rows = useRows(useEngine(), textOf(state.options.dsName))
  if (rows.state === 'loading') return <Skeletons height={96} />
  if (rows.state === 'failed') return <FailedRows state={state} rows={rows} />
  return (
    <>
      <Table state={state} rows={rows.rows} />
      <RowsEnd rows={rows} end="" />
    </>
  )
}

interface TableProps {
  readonly state: NodeState
  readonly rows: readonly JsonObject[]
}

function Table({ state, rows }: TableProps) {
  const t = useText()
  const fire = useFire(state)
  const { options } = state
  const first = isObject(options.pagination) ? numberOf(options.pagination.currentPage, 1) : 1
  const [requestedPage, setRequestedPage] = useState(first)
  const [ticked, setTicked] = useState<ReadonlySet<JsonObject>>(new Set())
  const { page, pages, from, to } = pageOf(options, rows.length, requestedPage)
  const turn = (next: number) => {
    setRequestedPage(next)
    void fire('currentPageChange', [to - from, next])
  }
  const tick = (row: JsonObject) => {
    const next = new Set(ticked)
    if (!next.delete(row)) next.add(row)
    setTicked(next)
    const places = rows.flatMap((entry, place) => (next.has(entry) ? [place] : []))
    void fire('selectionChange', [places.map((place) => rows[place] ?? null), places])
  }
  return (
    <section className="vf-data-table" aria-label={state.label || undefined}>
      {state.label === '' ? null : <h3>{state.label}</h3>}
      {rows.length === 0 ? <EmptyNote text={textOf(options.empty) || t('list.empty')} /> : null}
      <div className="vf-list" style={{ display: 'grid', gap: 8 }}>
        {rows.slice(from, to).map((row, i) => (
          <Card
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and cards no state
            key={from + i}
            state={state}
            row={row}
            place={from + i}
            ticked={ticked.has(row)}
            onTick={() => tick(row)}
          />
        ))}
      </div>
      {pages > 1 ? (
        <nav className="vf-table-pages">
          <Turn label={t('table.previous')} disabled={page === 1} onTurn={() => turn(page - 1)} />
          <span aria-live="polite">{t('table.page', { page, pages })}</span>
          <Turn label={t('table.next')} disabled={page === pages} onTurn={() => turn(page + 1)} />
        </nav>
      ) : null}
    </section>
  )
}

function Turn(props: { readonly label: string; readonly disabled: boolean; readonly onTurn: () => void }) {
  return (
    <button
      type="button"
      className="vf-button vf-text vf-small"
      disabled={props.disabled}
      onClick={props.onTurn}
    >
      {props.label}
    </button>
  )
}

interface CardProps {
  readonly state: NodeState
  readonly row: JsonObject
  readonly place: number
  readonly ticked: boolean
  readonly onTick: () => void
}

function Card({ state, row, place, ticked, onTick }: CardProps) {
  const t = useText()
  const fire = useFire(state, row)
  const read = useReading(row)
  const { options } = state
  const [head, ...rest] = columnsOf(options)
  const name = head === undefined ? '' : read(head)
  const facts = (
    <>
      <b>{(options.showIndex === true ? `${place + 1}. ` : '') + name}</b>
      <dl className="vf-descriptions vf-compact">
        {rest.map((column) => (
          <div key={column.prop}>
            <dt style={{ width: 88 }}>{column.label}</dt>
            <dd>{read(column) || <span className="vf-quiet">—</span>}</dd>
          </div>
        ))}
      </dl>
    </>
  )
  const buttons = options.showButtonsColumn === true ? objectsOf(options.operationButtons) : []
  return (
    <div className="vf-card">
      {options.showCheckBox === true ? (
        <label className="vf-table-tick">
          <input
            type="checkbox"
            checked={ticked}
            aria-label={t('list.pick.row', { name })}
            onChange={onTick}
          />
        </label>
      ) : null}
      {listensTo(state, 'rowClick') ? (
        <Pressable onPress={() => void fire('rowClick', [row])}>{facts}</Pressable>
      ) : (
        facts
      )}
      {buttons.length === 0 ? null : (
        <div className="vf-table-buttons">
          {buttons.map((button) =>
            button.hidden === true ? null : (
              <button
                key={textOf(button.name)}
                type="button"
                className="vf-button vf-text vf-small"
                disabled={button.disabled === true || state.disabled}
                onClick={() => void fire('operationButtonClick', [button.name ?? '', place, row])}
              >
                {textOf(button.label)}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  )
}

/** Cells as text for people. */
function useReading(row: JsonObject): (column: TableColumn) => string {
  const engine = useEngine()
  const { dict } = useScope()
  return ({ prop, dict: named, filter }) => {
    if (filter !== '') return engine.fill(`{{ row.${prop} | ${filter} }}`, row)
    const value: Json = valueAt(row, prop) ?? null
    const items = named === '' ? [] : itemsOf({ dict: named }, dict)
    return items.length > 0 ? labelsOf(value, items) : plainText(value)
  }
}
