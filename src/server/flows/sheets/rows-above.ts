import { isObject, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { parentField } from '../../../model/tree.ts'

/** Rows of a file by the names of their records: later rows may stand below them. */
export interface RowsAbove {
  /** A row with the id of what it stands below, if its cell names an earlier row and no existing record. */
  placed(row: JsonObject): JsonObject
  /** Notes the record of a row. @param id  null in a dry run: later rows are checked as if they named nothing above them */
  made(row: JsonObject, id: string | null): void
}

const NONE: RowsAbove = { placed: (row) => row, made: () => undefined }

/** @param module  absent for the product's modules, whose files name existing records only */
export function rowsAbove(module: MergedModule | undefined): RowsAbove {
  const field = module === undefined ? undefined : parentField(module)
  if (module === undefined || field === undefined) return NONE
  const ids = new Map<string, string | null>()
  const repeated = new Set<string>()
  return {
    placed(row) {
      const ext = isObject(row.ext) ? row.ext : {}
      const word = ownValue(ext, field.name)
      const id = typeof word !== 'string' || repeated.has(word) ? undefined : ids.get(word)
      return id === undefined ? row : { ...row, ext: { ...ext, [field.name]: id } }
    },
    made(row, id) {
      const title = ownValue(row.ext, module.title)
      if (typeof title !== 'string') return
      if (ids.has(title) && (id === null || ids.get(title) !== id)) repeated.add(title)
      ids.set(title, id)
    },
  }
}
