import { sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'

/** As long a message with 撤销 stands, and the time a phone without network takes to come back. */
const UNDO_MS = 600_000

/** True for a row that the caller deleted a moment ago: what they take back at once is as if it had not happened. */
export function isJustDeleted({ caller, now }: Asking, row: string) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${at('deleted_at')} >= ${new Date(now.getTime() - UNDO_MS)} and ${at('updated_by')} = ${caller.userId})`
}
