/** Which actions of a row are in sight: none, those behind its left or those behind its right edge. */
export type SwipeSide = 'none' | 'left' | 'right'

/** Widths in px of what lies behind the edges; 0: nothing. */
export interface SwipeWidths {
  readonly left: number
  readonly right: number
}

/** Position in px of a row that rests with this side open: positive to the right. */
export function swipePosition(side: SwipeSide, { left, right }: SwipeWidths): number {
  if (side === 'none') return 0
  return side === 'left' ? left : -right
}

/** Position in px of a row that a finger has moved by `by` px since it rested with `side` open: never beyond its actions. */
export function swipedTo(side: SwipeSide, by: number, widths: SwipeWidths): number {
  return Math.max(-widths.right, Math.min(widths.left, swipePosition(side, widths) + by))
}

/**
 * The side that is open after a finger has moved a row by `by` px and left it: less than `threshold` changes nothing, more opens what lies in that
 * direction, or closes the other side.
 */
export function restingSide(side: SwipeSide, by: number, widths: SwipeWidths, threshold: number): SwipeSide {
  if (Math.abs(by) < threshold) return side
  const toward = by < 0 ? 'right' : 'left'
  if (side !== 'none') return side === toward ? side : 'none'
  return widths[toward] > 0 ? toward : 'none'
}
