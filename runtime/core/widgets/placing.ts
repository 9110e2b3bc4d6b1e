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

/** Distance between a field and its panel. */
const GAP = 4
/** Margin at the window's edges. */
const EDGE = 8

/**
 * The position of a panel opened by a field: below it and aligned with its left side; with its right side if it would not fit;
 * above it if there is room only there, and over it in a window too low for either.
 *
 * @param before  its previous position: it stays on that side while it fits there
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
