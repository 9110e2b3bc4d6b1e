import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { LIST_MARK } from '../../core/text/filters.ts'
import { textOf } from '../page/options.ts'

/** A record as the source of a reference returns it. */
export type RecordRow = JsonObject

export const idOf = (row: RecordRow): string => textOf(row.value)
export const nameOf = (row: RecordRow): string => textOf(row.label)

/** The ids in a field's value. */
export const idsIn = (value: Json): readonly string[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(textOf).filter(Boolean)

/** The records of an answer, and the cursor of the next page. */
export function readRows(answer: Json): { readonly rows: readonly RecordRow[]; readonly next: string } {
  const list = isObject(answer) ? answer.list : answer
  return {
    rows: Array.isArray(list) ? list.filter(isObject) : [],
    next: isObject(answer) ? textOf(answer.nextCursor) : '',
  }
}

/** Removes duplicates, keeping the first. */
export const once = (rows: readonly RecordRow[]): readonly RecordRow[] =>
  rows.filter((row, at) => rows.findIndex((one) => idOf(one) === idOf(row)) === at)

/** Several names as one text, in the format that records use. */
export const joined = (names: readonly string[]): string => names.filter(Boolean).join(LIST_MARK)
