import { useMemo, useState } from 'react'
import type { JsonObject } from '../../core/json.ts'
import type { ListColumn } from '../../core/widgets/columns.ts'
import { useEngine } from '../page/page-context.ts'

/** The source that a page declares for it. */
const CELL = 'cell'

/** A cell by its row and column. */
interface CellPlace {
  readonly row: string
  readonly column: string
}

/** Cells of a table that are changed where they stand, one at a time. */
export interface Cells {
  readonly open: CellPlace | null
  readonly edit: (place: CellPlace | null) => void
  /** Columns of the row that may be changed. */
  readonly editable: (row: JsonObject) => readonly ListColumn[]
  /** The one `by` places on. */
  readonly after: (row: JsonObject, column: ListColumn, by: number) => ListColumn | undefined
  /** Names of the list's own source, asked again after a change, and of the one that changes. */
  readonly source: string
  readonly call: string
}

export function useCells(columns: readonly ListColumn[], source: string): Cells {
  const { page } = useEngine()
  const [open, edit] = useState<CellPlace | null>(null)
  return useMemo(() => {
    const isOffered = page.dataSources.has(CELL)
    // A row that does not say what may be done with it leaves it to the server.
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
