import type { Json, JsonObject } from '../json.ts'
import type { NodeKey, Page } from '../page/page.ts'
import type { Write } from '../ports.ts'
import { errorCell, rowsCell, valueCell } from '../state/cells.ts'
import type { Store } from '../state/store.ts'
import { initialWrites, replaceRows, rowWrites, type SubForm } from './rows.ts'
import type { Values } from './values.ts'

/** Commands that change a model: each creates writes and applies none. */
export interface Commands {
  valueWrite(key: NodeKey, value: Json): Write
  insertRow(
    subForm: NodeKey,
    index: number,
    values: JsonObject,
  ): { readonly id: string; readonly writes: readonly Write[] }
  deleteRow(subForm: NodeKey, index: number): readonly Write[]
  setRows(subForm: NodeKey, rows: readonly JsonObject[]): readonly Write[]
  /** The initial value of every field: the given value, else its default. @param again  also for a default by rule, which then stays empty */
  initialWrites(given: JsonObject, again?: boolean): readonly Write[]
}

interface Parts {
  readonly page: Page
  readonly subForms: ReadonlyMap<NodeKey, SubForm>
  readonly store: Store
  readonly values: Values
  readonly newRowId: () => string
}

export function createCommands({ page, subForms, store, values, newRowId }: Parts): Commands {
  const { rowIds, valueKey } = values
  /** Rows were added or removed: messages about them are no longer valid. */
  const withoutError = (subForm: NodeKey): readonly Write[] =>
    (store.get(errorCell(subForm)) ?? null) === null ? [] : [{ cell: errorCell(subForm), value: null }]
  return {
    valueWrite: (key, value) => ({ cell: valueCell(valueKey(key)), value }),
    insertRow(subForm, index, row) {
      const id = newRowId()
      const ids = [...rowIds(subForm)]
      ids.splice(index, 0, id)
      const writes = rowWrites(subForms.get(subForm) as SubForm, id, row)
      return { id, writes: [...writes, { cell: rowsCell(subForm), value: ids }, ...withoutError(subForm)] }
    },
    deleteRow: (subForm, index) => [
      { cell: rowsCell(subForm), value: rowIds(subForm).filter((_, i) => i !== index) },
      ...withoutError(subForm),
    ],
    setRows: (subForm, list) => [
      ...replaceRows(subForms.get(subForm) as SubForm, list, newRowId),
      ...withoutError(subForm),
    ],
    initialWrites: (given, again = false) => initialWrites(page, subForms, given, { newRowId, again }),
  }
}
