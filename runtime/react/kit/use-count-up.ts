import { useEffect, useRef, useState } from 'react'

const DURATION_MS = 700

/** Counts from `start` to `now` once, and on to each later number; without animation for users who prefer reduced motion. */
export function useCountUp(start: number, now: number | null, animate: boolean): number {
  const still = !animate || now === null || matchMedia('(prefers-reduced-motion: reduce)').matches
  const [shown, setShown] = useState(start)
  const last = useRef(start)
  useEffect(() => {
    if (now === null) return
    const from = last.current
    last.current = now
    if (still) return
    let frame = 0
    let began: number | null = null
    const step = (time: number) => {
      began ??= time
      const part = Math.min(1, (time - began) / DURATION_MS)
      setShown(from + (now - from) * (1 - (1 - part) ** 3))
      if (part < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [now, still])
  return still ? (now ?? start) : shown
}
