import type { ReadRow, SheetLimits } from './parse-sheet.ts'
import type { UnfitReason } from './unfit.ts'

/** What a worker that reads a sheet begins with. */
export interface SheetTask {
  readonly content: Uint8Array
  readonly limits: SheetLimits
}

/** What it says. `end` or `unfit` is its last word. */
export type FromSheetWorker =
  | { readonly type: 'rows'; readonly rows: readonly ReadRow[] }
  | { readonly type: 'unfit'; readonly reason: UnfitReason }
  | { readonly type: 'end' }
