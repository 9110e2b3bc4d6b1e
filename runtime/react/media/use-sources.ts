import { useState } from 'react'

/** Sources one after the other: the next is tried when one fails; after the last, `failed` (PLATFORM 8.21). */
export function useSources(sources: readonly string[], onFailed: () => void) {
  const [at, setAt] = useState(0)
  const next = () => {
    setAt(at + 1)
    if (at + 1 >= sources.length) onFailed()
  }
  return { source: sources[at], failed: at >= sources.length, next }
}
