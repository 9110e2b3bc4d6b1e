import type { Clock } from '../../../runtime/core/ports.ts'

/** The scroll position of the window, in px. */
export interface ScrollPlace {
  readonly scrollY: number
  readonly viewHeight: number
  readonly pageHeight: number
}

const DISTANCE = 50 // SHELL 1.7
const COOL_DOWN_MS = 350 // SHELL 5
const RECHECK_MS = 300

/**
 * Reports when the end of a page is reached: at most 50 px are left below the window. It reports again only after the user left that zone or the page
 * has grown by more than it. After a report it pauses for 350 ms and checks again, so that short lists continue to load.
 *
 * @param place  reads the current scroll position
 * @returns the function to call at each scroll event
 */
export function watchBottom(place: () => ScrollPlace, clock: Clock, onReach: () => void): () => void {
  let reachedAt: number | null = null // height of the page when its end was last reached
  let resting = false
  const check = (): void => {
    const { scrollY, viewHeight, pageHeight } = place()
    const isNearEnd = scrollY > 0 && pageHeight - viewHeight - scrollY <= DISTANCE
    if (!isNearEnd) {
      reachedAt = null
      return
    }
    if (resting || (reachedAt !== null && pageHeight - reachedAt <= DISTANCE)) return
    reachedAt = pageHeight
    resting = true
    clock.after(COOL_DOWN_MS, () => {
      resting = false
      clock.after(RECHECK_MS, check)
    })
    onReach()
  }
  return check
}
