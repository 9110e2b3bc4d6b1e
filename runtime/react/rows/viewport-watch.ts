import { type Dispatch, type SetStateAction, startTransition } from 'react'
import { flushSync } from 'react-dom'
import type { NearItems } from './lazy-items.tsx'

/** Distance in px from the viewport, above and below, within which items are drawn. */
const BEYOND_PX = 480
/** Maximum number of fields that are finally all drawn, so that the browser's search and screen readers reach them. */
const WHOLE = 120
/** Number of fields drawn in one idle period. */
const FIELDS_PER_IDLE = 6
/** Maximum number of items that do not make a gap between drawn ones. */
const SLIGHT = 2
/** Pause in milliseconds after the first screen. */
const REST_MS = 100

/** Items `from` to `to` (inclusive) that are not drawn. */
export interface Gap {
  readonly from: number
  readonly to: number
}

/** The element after a space that is about to be filled, and its position. */
interface Place {
  readonly element: Element
  readonly top: number
}

/** The items that fill the first screen. */
export const firstScreen = (items: NearItems): readonly string[] => filling(items, 0, window.innerHeight)

/** The items from an index on that fill a height. */
function filling({ keys, estimate, gap = 0 }: NearItems, from: number, room: number): readonly string[] {
  let end = from
  for (let px = 0; end < keys.length && px < room; end += 1) px += estimate(end) + gap
  return keys.slice(from, end)
}

export function gapsIn(
  keys: readonly string[],
  isDrawn: (index: number) => boolean | undefined,
): readonly Gap[] {
  const gaps: Gap[] = []
  let from = -1
  for (let index = 0; index <= keys.length; index += 1) {
    const isOpen = index < keys.length && !isDrawn(index)
    if (isOpen && from < 0) from = index
    if (isOpen || from < 0) continue
    if (index - from > SLIGHT) gaps.push({ from, to: index - 1 })
    from = -1
  }
  return gaps
}

/** Decides which items to draw next: those near the viewport, requested ones, and others in idle time. */
export interface ViewportWatch {
  /** Called after each render with what is drawn. */
  follow(items: NearItems, gaps: readonly Gap[], visible: boolean): void
  /** Draws an item with its surroundings, as if it were in the middle of the screen. */
  mount(index: number): void
  /** Observes the element of a gap. @returns a function that ends it */
  space(element: HTMLElement | null): (() => void) | undefined
  stop(): void
}

/** @param setDrawn  writes the keys of the items that are drawn */
export function createViewportWatch(setDrawn: Dispatch<SetStateAction<ReadonlySet<string>>>): ViewportWatch {
  const spaces = new Set<HTMLElement>()
  let items: NearItems
  let gaps: readonly Gap[] = []
  let isRested = false
  let anchor: Place | null = null
  let observer: IntersectionObserver | null = null
  let cancel = (): void => {}

  const add = (more: readonly string[]) =>
    setDrawn((before) => (more.every((key) => before.has(key)) ? before : new Set([...before, ...more])))

  /** Observes the spaces again after each render: the observer does not report one that stays visible. */
  function look(): void {
    observer ??= new IntersectionObserver(near, { rootMargin: `${BEYOND_PX}px 0px` })
    for (const space of spaces) observer.observe(space)
    const [first] = gaps
    const { keys, weight = 1 } = items
    if (!first || keys.length * weight > WHOLE) return
    const end = Math.min(first.to + 1, first.from + Math.max(1, Math.floor(FIELDS_PER_IDLE / weight)))
    cancel = whenIdle(() => startTransition(() => add(keys.slice(first.from, end))))
  }

  function near(entries: readonly IntersectionObserverEntry[]): void {
    const seen = entries.filter(
      ({ isIntersecting, boundingClientRect }) => isIntersecting && boundingClientRect.height > 0,
    )
    const found = seen.flatMap(nearIn)
    if (found.length === 0) return
    const above = seen.findLast(({ boundingClientRect: box }) => box.top < 0)
    anchor = above ? placeAfter(above) : null
    const isBlank = seen.some(({ boundingClientRect: box }) => box.top < window.innerHeight && box.bottom > 0)
    if (isBlank) add(found)
    else startTransition(() => add(found))
  }

  /** The items of a space that are near the viewport. */
  function nearIn({ target, boundingClientRect }: IntersectionObserverEntry): readonly string[] {
    const { from, to } = (target as HTMLElement).dataset
    const { keys, estimate, gap = 0 } = items
    const found: string[] = []
    let { top } = boundingClientRect
    for (let i = Number(from); i <= Number(to) && top < window.innerHeight + BEYOND_PX; i += 1) {
      top += estimate(i) + gap
      if (top > -BEYOND_PX) found.push(keys[i] ?? '')
    }
    return found
  }

  /** Items missing in the first screen, because others were lower than estimated. */
  function missing(): readonly string[] {
    const [first] = gaps
    const [space] = spaces
    if (!first || !space) return []
    const { top, height } = space.getBoundingClientRect()
    return height === 0 || top >= window.innerHeight
      ? []
      : filling(items, first.from, window.innerHeight - top)
  }

  function around(index: number): readonly string[] {
    const { keys, estimate, gap = 0 } = items
    const half = window.innerHeight / 2
    let from = index
    for (let px = 0; from > 0 && px < half; px += estimate(from) + gap) from -= 1
    return [...keys.slice(from, index), ...filling(items, index, half)]
  }

  function rest(): void {
    cancel()
    observer?.disconnect()
  }

  return {
    follow(nextItems, nextGaps, visible) {
      rest()
      items = nextItems
      gaps = nextGaps
      if (anchor) stayAt(anchor)
      anchor = null
      if (!visible || gaps.length === 0) return
      if (isRested) return look()
      const more = missing()
      if (more.length > 0) return add(more)
      const timer = setTimeout(() => {
        isRested = true
        look()
      }, REST_MS)
      cancel = () => clearTimeout(timer)
    },
    mount(index) {
      if (gaps.length > 0) flushSync(() => add(around(index)))
    },
    space(element) {
      if (!element) return
      spaces.add(element)
      return () => void spaces.delete(element)
    },
    stop: rest,
  }
}

/**
 * Items drawn above the viewport rarely have the estimated height, so the scroll position is corrected. Browsers with scroll anchoring do that
 * themselves.
 */
function placeAfter({ target, boundingClientRect }: IntersectionObserverEntry): Place | null {
  const element = target.nextElementSibling
  if (!element || CSS.supports('overflow-anchor', 'auto')) return null
  return { element, top: boundingClientRect.bottom + window.scrollY }
}

function stayAt({ element, top }: Place): void {
  if (element.isConnected) window.scrollBy(0, element.getBoundingClientRect().top + window.scrollY - top)
}

/** Runs a task in idle time. @returns a function that cancels it */
function whenIdle(task: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(task, 50)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(task)
  return () => cancelIdleCallback(handle)
}
