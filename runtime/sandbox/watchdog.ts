/** Watches one run at a time from the page's side. */
export interface Watchdog {
  /** The run that is being watched. */
  readonly job: number | undefined
  watch(job: number, limitMs: number): void
  unwatch(): void
}

/** Tells `onLate` once a watched run has not ended in time. */
export function createWatchdog(onLate: () => void): Watchdog {
  let job: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const unwatch = (): void => {
    clearTimeout(timer)
    job = undefined
  }
  return {
    get job() {
      return job
    },
    watch(next, limitMs) {
      unwatch()
      job = next
      // A busy page may be late itself: what the worker has said meanwhile is heard first.
      const late = (): void => {
        timer = setTimeout(onLate, 1)
      }
      timer = setTimeout(late, limitMs)
    },
    unwatch,
  }
}
