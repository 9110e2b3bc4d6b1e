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

export interface WindowedProps {
  readonly count: number
  readonly keyAt: (index: number) => string
  /** Px before the item was measured. */
  readonly estimate: (index: number) => number
  readonly draw: (index: number) => ReactNode
  /** Px between items. */
  readonly gap?: number
  /** Receives the function that mounts an item, wherever it is. */
  readonly onReady?: (mount: (index: number) => void) => () => void
  /** Told when the last items come near. */
  readonly onEnd?: () => void
  readonly className?: string
}

/** Px mounted beyond the viewport on both sides. */
const BEYOND_PX = 240

/**
 * Draws only the items near the viewport of the window; heights are measured as they come. The item that has the focus, or was
 * asked for, stays mounted, so that scrolling never takes a keyboard away. The items flow: when one grows, the browser moves those
 * below it, and nothing is drawn again.
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
  const [wanted, setWanted] = useState(-1)
  const scrollMargin = useTop(root)
  const overscan = useMemo(() => overscanOf(estimate, count), [estimate, count])
  const rangeExtractor = useRange(wanted)
  const { virtual, near } = useVirtual({
    count,
    getItemKey: keyAt,
    estimateSize: estimate,
    overscan,
    gap,
    scrollMargin,
    rangeExtractor,
  })
  useLayoutEffect(() => onReady?.((index) => flushSync(() => setWanted(index))), [onReady])
  const items = useWhile(visible, near)
  const last = items.at(-1)
  const lastIndex = last?.index ?? -1
  useLayoutEffect(() => {
    if (visible && lastIndex >= count - 1 - overscan) onEnd?.()
  }, [visible, lastIndex, count, overscan, onEnd])

  // Most of what scrolling tells changes nothing here: the same items are then not even compared.
  const mounted = useMemo(
    () =>
      items.map((item, i) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the focus of what it holds
        <div
          key={item.key}
          ref={virtual.measureElement}
          data-index={item.index}
          className="vf-windowed"
          style={{ marginTop: item.start - (items[i - 1]?.end ?? item.start) }}
          onFocus={() => setWanted(item.index)}
          onBlur={() => setWanted(-1)}
        >
          {draw(item.index)}
        </div>
      )),
    [items, draw, virtual.measureElement],
  )

  return (
    <div
      ref={root}
      className={className === undefined ? 'vf-window' : `vf-window ${className}`}
      style={{
        paddingTop: (items[0]?.start ?? scrollMargin) - scrollMargin,
        paddingBottom: virtual.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
      }}
    >
      {mounted}
    </div>
  )
}

/** High items need fewer of them: half a screen of fields is four, of cards one. */
function overscanOf(estimate: (index: number) => number, count: number): number {
  if (count === 0) return 1
  return Math.max(1, Math.ceil(BEYOND_PX / Math.max(1, estimate(Math.min(1, count - 1)))))
}

type Virtual = Virtualizer<Window, HTMLElement>
type Items = Pick<
  Virtual['options'],
  'count' | 'getItemKey' | 'estimateSize' | 'overscan' | 'gap' | 'scrollMargin' | 'rangeExtractor'
>

/**
 * The items near the viewport of the window. What scrolling is going to show is made between frames; only when something in sight is
 * missing it is drawn at once. Scrolling that changes no item draws nothing.
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
  useLayoutEffect(() => virtual._willUpdate())
  const near = virtual.getVirtualItems()
  useLayoutEffect(() => {
    mounted.current = near
  })
  return { virtual, near }
}

/** Whether all that is in sight is mounted. */
function isCovered(
  next: readonly VirtualItem[],
  mounted: readonly VirtualItem[],
  range: Virtual['range'],
): boolean {
  const known = new Set(mounted.map(({ key }) => key))
  return next.every(
    ({ key, index }) =>
      known.has(key) || (range !== null && (index < range.startIndex || index > range.endIndex)),
  )
}

/** Out of sight everything is 0 px high: the last real measure counts. Parts of a px count, or they would add up. */
function measure(element: HTMLElement, entry: ResizeObserverEntry | undefined, virtual: Virtual): number {
  if (element.isConnected && element.offsetParent === null)
    return virtual.measurementsCache[Number(element.dataset.index)]?.size ?? 0
  return entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height
}

/**
 * Which items are mounted: those in the range and the wanted one. Items that fell out by a little stay: a field that appears must not
 * unmount the one it pushes out of sight. The same items are the same array: nothing is done for them again.
 */
function useRange(wanted: number): (range: Range) => number[] {
  const kept = useRef<{ from: number; to: number; seen: number[] }>({ from: 0, to: -1, seen: [] })
  return useCallback(
    ({ startIndex, endIndex, overscan, count }: Range) => {
      let from = Math.max(0, startIndex - overscan)
      let to = Math.min(count - 1, endIndex + overscan)
      const before = kept.current
      const slack = before.to - before.from - (to - from)
      if (before.from <= from && before.to >= to && slack <= overscan) {
        from = before.from
        to = Math.min(count - 1, before.to)
      }
      const isSame = before.from === from && before.to === to
      const seen = isSame ? before.seen : Array.from({ length: to - from + 1 }, (_, i) => from + i)
      kept.current = { from, to, seen }
      if (wanted < 0 || wanted >= count || (wanted >= from && wanted <= to)) return seen
      return wanted < from ? [wanted, ...seen] : [...seen, wanted]
    },
    [wanted],
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
