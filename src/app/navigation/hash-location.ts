import { useSyncExternalStore } from 'react'

/** The state of a history entry: the opened page and its depth in the stack. */
export interface HistoryMark {
  readonly id: string
  readonly index: number
  /** True for the extra entry while a sheet or dialog is open above the page; going back removes it and closes the layer. */
  readonly above?: true
}

/** The browser's history as the navigation uses it. The whole url `/path?query` is inside the hash. */
export interface HashHistory {
  url(): string
  mark(): HistoryMark | null
  push(url: string, mark: HistoryMark): void
  replace(url: string, mark: HistoryMark): void
  go(delta: number): void
  /** Calls `listener` after each step of the browser; returns a function that unsubscribes. */
  onPop(listener: () => void): () => void
}

const CHANGED = 'vform:location'

/** `/path?query` behind the `#`; `/` if there is none. */
function urlInHash(hash: string): string {
  return `/${hash.replace(/^#?\/*/, '')}`
}

/** {@link HashHistory} of the window. */
export const browserHistory: HashHistory = {
  url: () => urlInHash(location.hash),
  mark: () => readMark(history.state),
  push(url, mark) {
    history.pushState(mark, '', `#${url}`)
    dispatchEvent(new Event(CHANGED))
  },
  replace(url, mark) {
    history.replaceState(mark, '', `#${url}`)
    dispatchEvent(new Event(CHANGED))
  },
  go: (delta) => history.go(delta),
  onPop(listener) {
    addEventListener('popstate', listener)
    return () => removeEventListener('popstate', listener)
  },
}

function readMark(state: unknown): HistoryMark | null {
  if (typeof state !== 'object' || state === null) return null
  const { id, index, above } = state as Partial<HistoryMark>
  if (typeof id !== 'string' || typeof index !== 'number') return null
  return { id, index, ...(above === true ? { above } : {}) }
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(CHANGED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(CHANGED, listener)
  }
}

/** wouter's location hook: the path inside the hash. Only the navigation moves, never wouter. */
export function usePathInHash(): [string, (to: string) => void] {
  const path = useSyncExternalStore(subscribe, () => browserHistory.url().split('?')[0] ?? '/')
  return [path, followLink]
}

/** wouter's search hook: the query inside the hash, without `?`. */
export function useQueryInHash(): string {
  return useSyncExternalStore(subscribe, () => browserHistory.url().split('?').slice(1).join('?'))
}

function followLink(to: string): void {
  location.hash = to
}
