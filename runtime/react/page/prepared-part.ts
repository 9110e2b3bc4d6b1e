import { fetchPart } from './fetch-part.ts'

/** A part of the app that a page may need to be drawn whole. */
export interface PreparedPart<T> {
  /** Fetches it; null when it is there. Resolves as well when it does not come: the page then stands without it. */
  prepare(): Promise<void> | null
  /** Null until it is there. */
  get(): T | null
}

/**
 * A part that is fetched before the page is drawn: one that was waited for below a `Suspense` would appear 300 ms late, because React keeps a
 * placeholder that long once shown.
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
