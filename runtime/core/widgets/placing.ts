/** A rectangle in the window, in px. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export type PlaceSide = 'below' | 'above' | 'over'

export interface Place {
  readonly left: number
  readonly top: number
  readonly side: PlaceSide
}

/** Between a field and what it opened. */
const GAP = 4
/** Kept free at the window's edges. */
const EDGE = 8

/**
 * Where a panel stands that a field opened: below it and in line with its left side; with its right side where it would not fit;
 * above it where only there is room, and over it in a window too low for either.
 *
 * @param before  where it stood until now: it stays on that side while it fits there
 */
export function placeBeside(field: Box, panel: Size, room: Size, before: PlaceSide = 'below'): Place {
  const tops = {
    below: field.bottom + GAP,
    above: field.top - GAP - panel.height,
    over: Math.max(EDGE, room.height - EDGE - panel.height),
  }
  const fits = (side: PlaceSide) => tops[side] >= EDGE && tops[side] + panel.height <= room.height - EDGE
  const side = ([before, 'below', 'above'] as const).find((one) => one !== 'over' && fits(one)) ?? 'over'
  const end = room.width - EDGE - panel.width
  const left = field.left <= end ? field.left : Math.min(field.right - panel.width, end)
  return { left: Math.max(EDGE, left), top: tops[side], side }
}
