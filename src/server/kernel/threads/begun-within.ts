import { AsyncLocalStorage } from 'node:async_hooks'

/** A value that holds for all that is begun within a piece of work, however deep and whenever it goes on. */
export interface Within<T> {
  run<R>(value: T, work: () => Promise<R>): Promise<R>
  /** Undefined outside of any. */
  get(): T | undefined
}

/**
 * As Node keeps it, and only while there is such work: as long as it is kept, every promise of the process costs several times as much.
 * What goes on by itself after the work has ended is outside of it.
 */
export function createWithin<T>(): Within<T> {
  const storage = new AsyncLocalStorage<T>()
  let underWay = 0
  return {
    async run(value, work) {
      underWay += 1
      try {
        return await storage.run(value, work)
      } finally {
        underWay -= 1
        if (underWay === 0) storage.disable()
      }
    },
    get: () => (underWay === 0 ? undefined : storage.getStore()),
  }
}
