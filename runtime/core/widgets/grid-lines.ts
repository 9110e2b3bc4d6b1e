import { clamp } from '../decimal.ts'
/** Columns of every grid. */
export const GRID_COLUMNS = 24

/** The requested size and offsets of a column, in 24ths. */
export interface ColumnWish {
  readonly span: number
  readonly offset: number
  /** Shift to the right; to the left if negative. */
  readonly moved: number
}

/** The position of a column; `line` and `start` count from 0. */
export interface ColumnPlace {
  readonly line: number
  readonly start: number
  readonly span: number
  readonly moved: number
}

/** Arranges columns in lines of 24. One that does not fit with its offset begins the next line; columns never extend beyond the edges. */
export function placeColumns(wishes: readonly ColumnWish[]): readonly ColumnPlace[] {
  let line = 0
  let at = 0
  return wishes.map((wish) => {
    const span = clampInteger(wish.span, 1, GRID_COLUMNS)
    const offset = clampInteger(wish.offset, 0, GRID_COLUMNS - span)
    if (at + offset + span > GRID_COLUMNS) {
      line += 1
      at = 0
    }
    const start = at + offset
    at = start + span
    return { line, start, span, moved: clampInteger(wish.moved, -start, GRID_COLUMNS - span - start) }
  })
}

/**
 * The px at both sides of a column, so that contents are `gutter` apart, equal spans are equally wide and the first and the last of a
 * line stand at its edges.
 */
export function gutterOf(
  { start, span }: ColumnPlace,
  gutter: number,
): readonly [before: number, after: number] {
  const width = Math.max(0, gutter)
  return [(width * start) / GRID_COLUMNS, (width * (GRID_COLUMNS - start - span)) / GRID_COLUMNS]
}

function clampInteger(value: number, least: number, most: number): number {
  const rounded = Number.isFinite(value) ? Math.round(value) : least
  return clamp(rounded, least, most)
}
