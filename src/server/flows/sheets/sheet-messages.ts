import type { ReadRow, SheetLimits } from './parse-sheet.ts'
import type { UnreadableReason } from './unreadable-file.ts'

/** The input of a worker that reads a sheet. */
export interface SheetTask {
  readonly content: Uint8Array
  readonly limits: SheetLimits
}

/** Its output. `end` or `unfit` is the last message. */
export type FromSheetWorker =
  | { readonly type: 'rows'; readonly rows: readonly ReadRow[] }
  | { readonly type: 'unfit'; readonly reason: UnreadableReason }
  | { readonly type: 'end' }
