import { useMemo, useState } from 'react'
import type { JsonObject } from '../../core/json.ts'
import type { ListColumn } from '../../core/widgets/columns.ts'
import { useEngine } from '../page/page-context.ts'

/** The source a page declares for editing cells. */
const CELL = 'cell'

/** A cell by its row and column. */
interface CellPlace {
  readonly row: string
  readonly column: string
}

/** Editable cells of a table, edited one at a time. */
export interface Cells {
  readonly open: CellPlace | null
  readonly edit: (place: CellPlace | null) => void
  /** Columns that can be edited in this row. */
  readonly editable: (row: JsonObject) => readonly ListColumn[]
  /** The editable column `by` positions after this one. */
  readonly after: (row: JsonObject, column: ListColumn, by: number) => ListColumn | undefined
  /** The list's own source, which is reloaded after a change, and the source that changes a cell. */
  readonly source: string
  readonly call: string
}

export function useCells(columns: readonly ListColumn[], source: string): Cells {
  const { page } = useEngine()
  const [open, edit] = useState<CellPlace | null>(null)
  return useMemo(() => {
    const isOffered = page.dataSources.has(CELL)
    // If a row does not list its actions, the server decides.
    const editable = (row: JsonObject) =>
      isOffered && (!Array.isArray(row.actions) || row.actions.includes('edit'))
        ? columns.filter((column) => column.edit !== null)
        : []
    const after = (row: JsonObject, column: ListColumn, by: number) => {
      const all = editable(row)
      return all[all.findIndex(({ name }) => name === column.name) + by]
    }
    return { open, edit, editable, after, source, call: CELL }
  }, [page, columns, source, open])
}
