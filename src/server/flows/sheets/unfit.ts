/** Characters of a cell, as spreadsheet programs have it. */
export const CELL_MOST = 32_767
/** Characters of all cells: a shared text counts wherever it stands. */
export const TEXT_MOST = 10_000_000

/** Why a file cannot be read: no sheet, or more of something than a sheet may hold. */
export type UnfitReason = 'unreadable' | 'unpacked' | 'rows' | 'columns' | 'cell' | 'text'

/** A file that is not read (any further). */
export class Unfit extends Error {
  readonly reason: UnfitReason
  constructor(reason: UnfitReason) {
    super(`the sheet cannot be read: ${reason}`)
    this.reason = reason
  }
}
