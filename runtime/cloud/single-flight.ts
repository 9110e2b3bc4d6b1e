/** One run at a time: callers that arrive while it is pending share it. */
export interface SingleFlight<T> {
  run(): Promise<T>
}

/**
 * Wraps `task` so that it runs once for all who wait.
 * @param keep  true: a run that succeeded is never repeated (initialisation); default false: the next caller starts over
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
