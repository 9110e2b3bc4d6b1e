/** One run at a time: callers during a run share its result. */
export interface SingleFlight<T> {
  run(): Promise<T>
}

/**
 * Wraps `task` so that concurrent callers share one run.
 * @param keep  true: a successful run is never repeated (initialisation); default false: the next caller starts another run
 */
export function singleFlight<T>(task: () => Promise<T>, keep = false): SingleFlight<T> {
  let pending: Promise<T> | undefined
  return {
    run() {
      if (pending) return pending
      const run = task()
      pending = run
      const forget = () => {
        pending = undefined
      }
      run.then(keep ? () => undefined : forget, forget)
      return run
    },
  }
}
