import { clamp } from '../decimal.ts'
/** A track of pages moved by a finger, all measures in pages: 1.5 is half way between the second and the third. */
export interface Track {
  readonly count: number
  readonly circular: boolean
}

/** A flick faster than this turns the page although the finger moved less than half way. */
const FLICK_PX_PER_MS = 0.2
/** Beyond the ends the pages follow the finger by this fraction. */
const DAMPING = 0.3

/** Smoothing of a finger's speed: the latest move counts for four tenths. */
export const smoothedSpeed = (old: number, latest: number): number => 0.6 * old + 0.4 * latest

/** The position of the track while a finger holds it: damped beyond the ends. */
export function heldAt(position: number, { count, circular }: Track): number {
  if (circular && count > 1) return position
  const last = Math.max(0, count - 1)
  if (position < 0) return position * DAMPING
  return position > last ? last + (position - last) * DAMPING : position
}

/**
 * The page on which a released track comes to rest: the nearest one, half a page further in the direction of a flick.
 *
 * @param speed  px per ms, positive towards the next page
 */
export function restingPage(position: number, speed: number, track: Track): number {
  const push = Math.abs(speed) > FLICK_PX_PER_MS ? Math.sign(speed) * 0.5 : 0
  return boundPage(Math.round(position + push), track)
}

/** The index of an existing page: wrapped around, or limited to the ends. */
export function boundPage(page: number, { count, circular }: Track): number {
  if (count < 1) return 0
  if (circular) return ((page % count) + count) % count
  return clamp(page, 0, count - 1)
}

/** Maximum enlargement of a picture. */
const MAX_ZOOM = 4

/** The scale of a picture under two fingers: the previous scale times the ratio of their distances; 1 to 4. */
export function pinchedZoom(before: number, distanceBefore: number, distance: number): number {
  if (!(distanceBefore > 0)) return before
  return clamp(before * (distance / distanceBefore), 1, MAX_ZOOM)
}

/** How far an enlarged picture can be moved aside: never beyond its own edge. */
export function pannedTo(offset: number, zoom: number, size: number): number {
  const room = ((zoom - 1) * size) / 2
  return clamp(offset, -room, room)
}
