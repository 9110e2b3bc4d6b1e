/** Watches one run at a time from the page's side. */
export interface Watchdog {
  /** The watched run. */
  readonly job: number | undefined
  watch(job: number, limitMs: number): void
  unwatch(): void
}

/** Time is counted in steps. A timer that fires late counts only as its length, because then the worker was delayed too. */
const STEP_MS = 40

/** Calls `onLate` if a watched run has not ended in time. */
export function createWatchdog(onLate: () => void): Watchdog {
  let job: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const unwatch = (): void => {
    clearTimeout(timer)
    job = undefined
  }
  function wait(leftMs: number): void {
    const step = Math.min(STEP_MS, leftMs)
    // A busy page may be late itself: pending messages of the worker are received before the last, short step ends.
    timer = setTimeout(() => (leftMs > 0 ? wait(leftMs - step) : onLate()), Math.max(1, step))
  }
  return {
    get job() {
      return job
    },
    watch(next, limitMs) {
      unwatch()
      job = next
      wait(limitMs)
    },
    unwatch,
  }
}
