/** Hands out one turn at a time, first come first served. */
export interface Mutex {
  /** Waits for the turn; the returned function ends it (calling it again does nothing). */
  take(): Promise<() => void>
}

/** A queue with one place: work guarded by it never interleaves. */
export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve()
  return {
    async take() {
      const before = last
      let end: () => void = () => undefined
      last = new Promise<void>((resolve) => {
        end = resolve
      })
      await before
      return end
    },
  }
}
