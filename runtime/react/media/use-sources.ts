import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Sources one after the other: the next is tried when one fails; after the last, `failed`. An element may fail before it
 * is on the page, where nobody hears of it: so it is asked once it is there.
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
