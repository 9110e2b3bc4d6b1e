import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Tries sources one after the other; after the last failure, `failed`. An element may fail before it is mounted, when no listener exists yet, so its
 * state is checked after mounting.
 */
export function useSources(
  media: RefObject<HTMLMediaElement | null>,
  sources: readonly string[],
  onFailed: () => void,
) {
  const [at, setAt] = useState(0)
  const source = sources[at]
  const next = () => {
    setAt(at + 1)
    if (at + 1 >= sources.length) onFailed()
  }
  const latest = useRef(next)
  useEffect(() => {
    latest.current = next
  })
  useEffect(() => {
    if (source !== undefined && media.current?.error) latest.current()
  }, [source, media])
  return { source, failed: at >= sources.length, next }
}
