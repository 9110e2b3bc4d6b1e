/** Maximum characters of a cell, as in spreadsheet programs. */
export const MAX_CELL = 32_767
/** Maximum characters of all cells; a shared text counts at each use. */
export const MAX_TEXT = 10_000_000

/** Why a file cannot be read: it is not a sheet, or exceeds a limit. */
export type UnreadableReason = 'unreadable' | 'unpacked' | 'rows' | 'columns' | 'cell' | 'text'

/** A file that cannot be read, or no further. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason) {
    super(`the sheet cannot be read: ${reason}`)
    this.reason = reason
  }
}
