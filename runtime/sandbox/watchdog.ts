/** Watches one run at a time from the page's side. */
export interface Watchdog {
  /** The run that is being watched. */
  readonly job: number | undefined
  watch(job: number, limitMs: number): void
  unwatch(): void
}

/** The time is counted in steps; one that comes late counts no more than its length, for then the worker was late, too. */
const STEP_MS = 40

/** Tells `onLate` once a watched run has not ended in time. */
export function createWatchdog(onLate: () => void): Watchdog {
  let job: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const unwatch = (): void => {
    clearTimeout(timer)
    job = undefined
  }
  function wait(leftMs: number): void {
    const step = Math.min(STEP_MS, leftMs)
    // A busy page may be late itself: what the worker has said meanwhile is heard before the last, short step ends.
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
