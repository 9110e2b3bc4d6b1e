import type { HashHistory, HistoryMark } from '../../src/app/navigation/hash-location.ts'

/** A browser's history in memory; steps arrive asynchronously, as in a browser. */
export function memoryHistory(first = '/'): HashHistory & {
  readonly entries: () => readonly string[]
  readonly at: () => number
  /** The user types an address. */
  readonly type: (url: string) => void
} {
  let entries: { url: string; mark: HistoryMark | null }[] = [{ url: first, mark: null }]
  let at = 0
  const listeners = new Set<() => void>()
  const announce = () => {
    for (const listener of listeners) listener()
  }
  return {
    url: () => entries[at]?.url ?? '',
    mark: () => entries[at]?.mark ?? null,
    push(url, mark) {
      entries = [...entries.slice(0, at + 1), { url, mark }]
      at += 1
    },
    replace(url, mark) {
      entries = entries.map((entry, index) => (index === at ? { url, mark } : entry))
    },
    go(delta) {
      const target = at + delta
      if (delta === 0 || target < 0 || target >= entries.length) return
      setTimeout(() => {
        at = target
        announce()
      }, 0)
    },
    onPop(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    entries: () => entries.map((entry) => entry.url),
    at: () => at,
    type(url) {
      entries = [...entries.slice(0, at + 1), { url, mark: null }]
      at += 1
      announce()
    },
  }
}
