import { type RefCallback, useCallback, useState } from 'react'

/** Whether an element is at least `px` wide, updated with its width; always false unless `asked`. */
export function useIsWide(px: number, enabled: boolean): readonly [RefCallback<HTMLElement>, boolean] {
  const [isWide, setIsWide] = useState(false)
  const watch = useCallback(
    (element: HTMLElement | null) => {
      if (element === null || !enabled) return
      const measure = () => setIsWide(element.clientWidth >= px)
      measure()
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      return () => observer.disconnect()
    },
    [px, enabled],
  )
  return [watch, enabled && isWide]
}
