import {
  observeWindowOffset,
  observeWindowRect,
  type Range,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import {
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { PageVisible } from '../page/page-context.ts'
import { usePrinting } from './use-printing.ts'

export interface WindowedProps {
  readonly count: number
  readonly keyAt: (index: number) => string
  /** Estimated height in px of an item before it is measured. */
  readonly height: number
  readonly draw: (index: number) => ReactNode
  /** Space between items in px. */
  readonly gap?: number
  /** Gets a function that mounts an item at any position. */
  readonly onReady?: (mount: (index: number) => void) => () => void
  readonly className?: string
}

/** Distance in px from the viewport, above and below, within which items are mounted. */
const BEYOND_PX = 240

/**
 * Draws only the items near the viewport of the window; heights are measured as they are mounted. The item with the focus, or a requested one, stays
 * mounted, so that scrolling never removes a focused input. Items are in normal flow: when one grows, the browser moves those below it without a
 * render.
 */
export function Windowed({ count, keyAt, height, draw, gap = 0, onReady, className = '' }: WindowedProps) {
  const root = useRef<HTMLDivElement>(null)
  const visible = useContext(PageVisible)
  const [wanted, setWanted] = useState(-1)
  const scrollMargin = useTop(root)
  const printing = usePrinting() && visible
  // Tall items need a smaller overscan: half a screen is four fields or one card.
  const overscan = printing ? count : Math.ceil(BEYOND_PX / Math.max(1, height))
  const rangeExtractor = useRange(wanted)
  const { virtual, near } = useVirtual({
    count,
    getItemKey: keyAt,
    estimateSize: () => height,
    overscan,
    gap,
    scrollMargin,
    rangeExtractor,
  })
  useLayoutEffect(() => onReady?.((index) => flushSync(() => setWanted(index))), [onReady])
  const items = useWhile(visible, near)
  const last = items.at(-1)

  // Most scroll events change nothing here, so the lists need not be compared.
  const mounted = useMemo(
    () =>
      items.map((item, i) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the focus of what it holds
        <div
          key={item.key}
          ref={printing ? null : virtual.measureElement}
          data-index={item.index}
          className="vf-windowed"
          style={{ marginTop: item.start - (items[i - 1]?.end ?? item.start) }}
          onFocus={() => setWanted(item.index)}
          onBlur={() => setWanted(-1)}
        >
          {draw(item.index)}
        </div>
      )),
    [items, draw, printing, virtual.measureElement],
  )

  return (
    <div
      ref={root}
      className={`vf-window ${className}`}
      style={{
        paddingTop: (items[0]?.start ?? scrollMargin) - scrollMargin,
        paddingBottom: virtual.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
      }}
    >
      {mounted}
    </div>
  )
}

type Virtual = Virtualizer<Window, HTMLElement>
type Items = Pick<
  Virtual['options'],
  'count' | 'getItemKey' | 'estimateSize' | 'overscan' | 'gap' | 'scrollMargin' | 'rangeExtractor'
>

/**
 * The items near the viewport of the window. Upcoming items are rendered between frames; only if a visible one is missing the render is synchronous.
 * Scrolling that changes no item renders nothing.
 */
function useVirtual(items: Items): { readonly virtual: Virtual; readonly near: readonly VirtualItem[] } {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const mounted = useRef<readonly VirtualItem[]>([])
  const options = {
    ...items,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    measureElement: measure,
    onChange: (virtual: Virtual) => {
      const next = virtual.getVirtualItems()
      if (next === mounted.current) return
      if (isCovered(next, mounted.current, virtual.range)) startTransition(redraw)
      else redraw()
    },
  }
  const [virtual] = useState(() => new Virtualizer<Window, HTMLElement>(options))
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  const near = virtual.getVirtualItems()
  useLayoutEffect(() => {
    mounted.current = near
    virtual._willUpdate()
  })
  return { virtual, near }
}

/** Whether all visible items are mounted. */
function isCovered(
  next: readonly VirtualItem[],
  mounted: readonly VirtualItem[],
  range: Virtual['range'],
): boolean {
  const mountedKeys = new Set(mounted.map(({ key }) => key))
  return next.every(
    ({ key, index }) =>
      mountedKeys.has(key) || (range !== null && (index < range.startIndex || index > range.endIndex)),
  )
}

/** While hidden everything is 0 px high, so the last real measure is kept. Fractions of px matter, since they add up. */
function measure(element: HTMLElement, entry: ResizeObserverEntry | undefined, virtual: Virtual): number {
  if (element.offsetParent === null)
    return virtual.measurementsCache[Number(element.dataset.index)]?.size ?? 0
  return entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height
}

/**
 * The mounted items: those in the range and the requested one. Items just outside stay: a field that appears must not unmount the one it pushes out
 * of the range. Unchanged items return the same array, so that nothing is recomputed.
 */
function useRange(wanted: number): (range: Range) => number[] {
  const range = useRef<{ from: number; to: number; seen: number[] }>({ from: 0, to: -1, seen: [] })
  return useCallback(
    ({ startIndex, endIndex, overscan, count }: Range) => {
      let from = Math.max(0, startIndex - overscan)
      let to = Math.min(count - 1, endIndex + overscan)
      const before = range.current
      const slack = before.to - before.from - (to - from)
      if (before.from <= from && before.to >= to && slack <= overscan) {
        from = before.from
        to = Math.min(count - 1, before.to)
      }
      const isSame = before.from === from && before.to === to
      const seen = isSame ? before.seen : Array.from({ length: to - from + 1 }, (_, i) => from + i)
      // After printing, which mounts everything, the screen has what it had.
      if (overscan < count) range.current = { from, to, seen }
      if (wanted < 0 || wanted >= count || seen.includes(wanted)) return seen
      return wanted < from ? [wanted, ...seen] : [...seen, wanted]
    },
    [wanted],
  )
}

/** Distance of an element from the top of the document, updated while elements above it change their size. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const at = element.current
      if (at?.offsetParent) setTop(Math.round(at.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

/** The current value while `live`, else the last one: a hidden page does not follow the scrolling of the visible one. */
function useWhile<T>(live: boolean, value: T): T {
  const previous = useRef(value)
  useLayoutEffect(() => {
    if (live) previous.current = value
  })
  return live ? value : previous.current
}
