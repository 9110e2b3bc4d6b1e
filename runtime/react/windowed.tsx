import { type Range, useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { PageVisible } from './page-context.ts'

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

/** Before the first measure everything counts as in sight. */
const WHOLE = { startIndex: 0, endIndex: Number.POSITIVE_INFINITY }

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
  const virtual = useWindowVirtualizer<HTMLElement>({
    count,
    getItemKey: keyAt,
    estimateSize: estimate,
    overscan,
    gap,
    scrollMargin,
    rangeExtractor,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    measureElement: measure,
  })
  useLayoutEffect(() => onReady?.((index) => flushSync(() => setWanted(index))), [onReady])
  const near = useWhile(visible, virtual.getVirtualItems())
  const range = virtual.range ?? WHOLE
  const items = useSoon(
    near,
    ({ index }) => index === wanted || (index >= range.startIndex && index <= range.endIndex),
  )
  const last = items.at(-1)
  const lastIndex = last?.index ?? -1
  useLayoutEffect(() => {
    if (visible && lastIndex >= count - 1 - overscan) onEnd?.()
  }, [visible, lastIndex, count, overscan, onEnd])

  return (
    <div
      ref={root}
      className={className === undefined ? 'vf-window' : `vf-window ${className}`}
      style={{
        paddingTop: (items[0]?.start ?? scrollMargin) - scrollMargin,
        paddingBottom: virtual.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
      }}
    >
      {items.map((item, i) => (
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
      ))}
    </div>
  )
}

/** High items need fewer of them: half a screen of fields is four, of cards one. */
function overscanOf(estimate: (index: number) => number, count: number): number {
  if (count === 0) return 1
  return Math.max(1, Math.ceil(BEYOND_PX / Math.max(1, estimate(Math.min(1, count - 1)))))
}

/**
 * Of the items near the viewport those that are needed now, and the others as soon as there is time: a card that scrolling is going
 * to show is made between frames, not before the next one.
 */
function useSoon(near: readonly VirtualItem[], now: (item: VirtualItem) => boolean): readonly VirtualItem[] {
  const soon = useDeferredValue(near)
  if (soon === near) return near
  const known = new Set(soon.map(({ key }) => key))
  return near.filter((item) => known.has(item.key) || now(item))
}

/** Out of sight everything is 0 px high: the last real measure counts. Parts of a px count, or they would add up. */
function measure(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  instance: Virtualizer<Window, HTMLElement>,
): number {
  if (element.isConnected && element.offsetParent === null)
    return instance.measurementsCache[Number(element.dataset.index)]?.size ?? 0
  return entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height
}

/**
 * Which items are mounted: those in the range and the wanted one. Items that fell out by a little stay: a field that appears must not
 * unmount the one it pushes out of sight.
 */
function useRange(wanted: number): (range: Range) => number[] {
  const kept = useRef({ from: 0, to: -1 })
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
      kept.current = { from, to }
      const seen = Array.from({ length: to - from + 1 }, (_, i) => from + i)
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
