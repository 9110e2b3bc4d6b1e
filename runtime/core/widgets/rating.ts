import { clamp } from '../decimal.ts'
/** A row of stars, each `size` px wide. */
export interface Stars {
  readonly max: number
  readonly half: boolean
}

/**
 * The rating under a finger: the star it is on; half of it in the star's left half, if halves are allowed. Never below
 * one half or one star, never above `max`.
 *
 * @param share  0 at the left end of the row, 1 at its right end
 */
export function ratingAt(share: number, { max, half }: Stars): number {
  const at = clamp(share, 0, 1) * max
  const star = Math.min(max, Math.floor(at) + 1)
  return half && at - (star - 1) < 0.5 ? star - 0.5 : star
}

/** Rounds a stored rating: 0 to `max`, in halves or whole stars. */
export function snapRating(value: number, { max, half }: Stars): number {
  const step = half ? 0.5 : 1
  return clamp(Math.round(value / step) * step, 0, max)
}
