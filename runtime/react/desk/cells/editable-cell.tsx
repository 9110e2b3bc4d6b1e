import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Json, JsonObject } from '../../../core/json.ts'
import type { ListColumn } from '../../../core/widgets/columns.ts'
import { Glyph } from '../../kit/glyph.tsx'
import { useEngine, useText } from '../../page/page-context.ts'
import type { Cells } from '../use-cells.ts'
import { cellChange, readEdit, refusalOf } from './cell-edit.ts'
import { CellEditor } from './cell-editor.tsx'

/** Time in milliseconds for which a change can be undone in its cell. */
const UNDO_MS = 5_000

interface Props {
  readonly cells: Cells
  readonly row: JsonObject
  readonly id: string
  readonly column: ListColumn
  /** The content of the cell while it is not edited. */
  readonly shown: ReactNode
}

/** A cell that is edited in place and can be undone there. Loaded when the pointer or focus reaches an editable row. */
export default function EditableCell({ cells, row, id, column, shown }: Props) {
  const t = useText()
  const { open, edit } = cells
  const editFacts = readEdit(column)
  const { state, write, offer, undo } = useChange(cells, id, column)
  if (editFacts === null) return shown
  if (open?.row === id && open.column === column.name)
    return (
      <CellEditor
        column={column}
        edit={editFacts}
        value={row[column.name]}
        fault={state.fault}
        busy={state.busy}
        onLeave={() => edit(null)}
        onCommit={async (value, by) => {
          const before = row[column.name] ?? null
          if (value !== before) {
            if (!(await write(value))) return
            offer(before)
          }
          const next = by === 0 ? undefined : cells.after(row, column, by)
          edit(next === undefined ? null : { row: id, column: next.name })
        }}
      />
    )
  return (
    <>
      {shown}
      {undo === null ? (
        <button
          type="button"
          tabIndex={-1}
          className="vf-cell-edit"
          aria-label={t('list.cell.edit', { name: column.label })}
          onClick={() => edit({ row: id, column: column.name })}
        >
          <Glyph name="down" size={14} />
        </button>
      ) : (
        <button type="button" className="vf-cell-undo" onClick={undo}>
          {t('list.cell.undo')}
        </button>
      )}
    </>
  )
}

/** The call that changes the cell, the reason of a refusal, and the undo. */
function useChange({ source, call }: Cells, id: string, column: ListColumn) {
  const engine = useEngine()
  const [state, setState] = useState({ fault: '', busy: false })
  const [before, setBefore] = useState<{ readonly value: Json } | null>(null)
  const cancel = useRef(() => {})
  useEffect(() => () => cancel.current(), [])
  const write = async (value: Json): Promise<boolean> => {
    const editFacts = readEdit(column)
    if (editFacts === null) return false
    setState({ fault: '', busy: true })
    const clientToken = engine.ports.random.uuid()
    const outcome = await engine.request(call, { ...cellChange(editFacts, id, value), clientToken })
    const fault = outcome.ok ? refusalOf(outcome.value) : ''
    setState({ fault, busy: false })
    // The error of a failed call is shown by the layer that sends it.
    if (!outcome.ok || fault !== '') return false
    await engine.refresh(source)
    return true
  }
  const offer = (value: Json) => {
    setBefore({ value })
    cancel.current()
    cancel.current = engine.ports.clock.after(UNDO_MS, () => setBefore(null))
  }
  const undo =
    before === null
      ? null
      : () => {
          setBefore(null)
          void write(before.value)
        }
  return { state, write, offer, undo }
}
