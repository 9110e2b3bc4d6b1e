import type { Clock } from '../../../runtime/core/ports.ts'

/** Where the window stands, in px. */
export interface ScrollPlace {
  readonly scrollY: number
  readonly viewHeight: number
  readonly pageHeight: number
}

const DISTANCE = 50 // SHELL 1.7
const COOL_DOWN_MS = 350 // SHELL 5
const LOOK_AGAIN_MS = 300

/**
 * Says when the end of a page has been reached: at most 50 px are left below the window. Not again before the user has left that
 * zone, unless the page has grown by more than it; after firing it rests 350 ms and then looks again, so that short lists go on.
 *
 * @param place  reads where the window stands now
 * @returns the function to call at each scroll
 */
export function watchBottom(place: () => ScrollPlace, clock: Clock, onReach: () => void): () => void {
  let reachedAt: number | null = null // height of the page when its end was last reached
  let resting = false
  const look = (): void => {
    const { scrollY, viewHeight, pageHeight } = place()
    const near = scrollY > 0 && pageHeight - viewHeight - scrollY <= DISTANCE
    if (!near) {
      reachedAt = null
      return
    }
    if (resting || (reachedAt !== null && pageHeight - reachedAt <= DISTANCE)) return
    reachedAt = pageHeight
    resting = true
    clock.after(COOL_DOWN_MS, () => {
      resting = false
      clock.after(LOOK_AGAIN_MS, look)
    })
    onReach()
  }
  return look
}
