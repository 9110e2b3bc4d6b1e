import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'

/** How long a toast with 撤销 is shown, plus the time a phone without network takes to reconnect. */
const UNDO_MS = 600_000

/** True for a row that the caller deleted a moment ago: undoing it immediately leaves no trace. */
export function isJustDeleted({ caller, now }: CallContext, row: string) {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${at('deleted_at')} >= ${new Date(now.getTime() - UNDO_MS)} and ${at('updated_by')} = ${caller.userId})`
}
