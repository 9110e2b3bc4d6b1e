import { AsyncLocalStorage } from 'node:async_hooks'

/** A value available to everything that is started within a piece of work, however deep and asynchronous. */
export interface AsyncScope<T> {
  run<R>(value: T, work: () => Promise<R>): Promise<R>
  /** Undefined outside any such work. */
  get(): T | undefined
}

/**
 * Implemented with Node's storage, which is enabled only while there is such work: while it is enabled, every promise of the process costs several
 * times as much. What continues by itself after the work has ended is outside.
 */
export function createAsyncScope<T>(): AsyncScope<T> {
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
