import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useWindowVirtualizer,
} from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { PageVisible } from './page-context.ts'

export interface WindowedProps {
  readonly count: number
  readonly keyAt: (index: number) => string
  /** Px before the item was measured. */
  readonly estimate: (index: number) => number
  readonly draw: (index: number) => ReactNode
  /** Px between items. */
  readonly gap?: number
  /** Receives the function that scrolls an item into reach. */
  readonly onReady?: (scrollTo: (index: number) => void) => () => void
  /** Told when the last items come near. */
  readonly onEnd?: () => void
  readonly className?: string
}

/** Mounted beyond the viewport on both sides. */
const OVERSCAN = 4

/**
 * Draws only the items near the viewport of the window; heights are measured as they come. The item that has the focus stays
 * mounted, so that scrolling never takes a keyboard away. Items are placed by `top`, not by a transform, so that what is
 * `position: fixed` in them stays fixed.
 */
export function Windowed({
  count,
  keyAt,
  estimate,
  draw,
  gap = 0,
  onReady,
  onEnd,
  className,
}: WindowedProps) {
  const root = useRef<HTMLDivElement>(null)
  const visible = useContext(PageVisible)
  const [focused, setFocused] = useState(-1)
  const scrollMargin = useTop(root)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const seen = defaultRangeExtractor(range)
      const outside = focused >= 0 && focused < count && !seen.includes(focused)
      return outside ? [...seen, focused].sort((a, b) => a - b) : seen
    },
    [focused, count],
  )
  const virtual = useWindowVirtualizer<HTMLElement>({
    count,
    getItemKey: keyAt,
    estimateSize: estimate,
    overscan: OVERSCAN,
    gap,
    scrollMargin,
    rangeExtractor,
    // Out of sight everything is 0 px high: the last real measure counts.
    measureElement: (element, entry, instance) =>
      element.isConnected && element.offsetParent === null
        ? (instance.measurementsCache[Number(element.dataset.index)]?.size ?? 0)
        : measureElement(element, entry, instance),
  })
  useLayoutEffect(
    () => onReady?.((index) => virtual.scrollToIndex(index, { align: 'center' })),
    [onReady, virtual],
  )
  const items = useWhile(visible, virtual.getVirtualItems())
  const last = items.at(-1)?.index ?? -1
  useLayoutEffect(() => {
    if (visible && last >= count - 1 - OVERSCAN) onEnd?.()
  }, [visible, last, count, onEnd])

  return (
    <div ref={root} className={className} style={{ position: 'relative', height: virtual.getTotalSize() }}>
      {items.map((item) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the focus of what it holds
        <div
          key={item.key}
          ref={virtual.measureElement}
          data-index={item.index}
          className="vf-windowed"
          style={{ top: item.start - scrollMargin }}
          onFocus={() => setFocused(item.index)}
          onBlur={() => setFocused(-1)}
        >
          {draw(item.index)}
        </div>
      ))}
    </div>
  )
}

/** Distance of an element from the top of the document; followed while things above it grow and shrink. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const at = element.current
      if (at && at.offsetParent !== null) setTop(Math.round(at.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

/** The value now while `live`, else the one it had last: a page out of sight does not follow the scrolling of the one in sight. */
function useWhile<T>(live: boolean, value: T): T {
  const kept = useRef(value)
  useLayoutEffect(() => {
    if (live) kept.current = value
  })
  return live ? value : kept.current
}
