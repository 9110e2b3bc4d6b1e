import { fetchPart } from './fetch-part.ts'

/** A part of the app that a page may need for drawing. */
export interface PreparedPart<T> {
  /** Loads it; null if it is loaded. Also resolves on failure: the page is then drawn without it. */
  prepare(): Promise<void> | null
  /** Null until it is loaded. */
  get(): T | null
}

/**
 * A part that is loaded before the page is drawn. With `Suspense` it would appear 300 ms late, because React keeps a placeholder for that long once
 * shown.
 */
export function preparedPart<T>(load: () => Promise<T>): PreparedPart<T> {
  let part: T | null = null
  return {
    prepare() {
      if (part !== null) return null
      return fetchPart(load).then(
        (fetched) => {
          part = fetched
        },
        () => undefined,
      )
    },
    get: () => part,
  }
}
