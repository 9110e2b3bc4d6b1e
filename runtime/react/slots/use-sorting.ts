import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { clamp } from '../../core/decimal.ts'
import { type Held, placeUnder, wayTo } from './held.ts'

/** Events of the dragged entry. */
type SortEvent = 'picked' | 'moved' | 'dropped' | 'cancelled'

interface Options {
  readonly list: RefObject<HTMLElement | null>
  /** Selector of the sortable rows in the list. */
  readonly rows: string
  readonly count: number
  readonly onMove: (from: number, to: number) => void
  readonly onEvent: (event: SortEvent, from: number, at: number) => void
}

export interface Sorting {
  readonly held: Held | null
  /** True while a finger or the mouse holds it: it then follows without a transition. */
  readonly byHand: boolean
  /** The event handlers of a row's handle. */
  readonly handle: (at: number) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    readonly onBlur: () => void
  }
}

/** Distance in px after which a press is a drag instead of a tap. */
const PICK_PX = 4
/** Distance to the edge of the screen within which the page scrolls, and its maximum speed per frame, in px. */
const EDGE_PX = 60
const SCROLL_PX = 8

/** Sortable rows with handles: dragged, or picked up with Space, moved with the arrows and dropped with Space; Escape cancels. */
export function useSorting({ list, rows, count, onMove, onEvent }: Options): Sorting {
  const [held, draw] = useState<Held | null>(null)
  const now = useRef<Held | null>(null)
  const hand = useHand((by) => {
    if (now.current === null && Math.abs(by) >= PICK_PX && hand.from.current !== null) pick(hand.from.current)
    if (now.current !== null) carry(now.current, placeUnder(now.current, by), by)
  })
  const hold = (next: Held | null) => {
    now.current = next
    draw(next)
  }
  const pick = (from: number) => {
    const places = [...(list.current?.querySelectorAll(rows) ?? [])].map((row) => row.getBoundingClientRect())
    hold({ from, to: from, by: 0, places })
    onEvent('picked', from, from)
  }
  const carry = (from: Held, to: number, by: number) => {
    if (to !== from.to) onEvent('moved', from.from, to)
    hold({ ...from, to, by })
  }
  const leave = (isDropped: boolean) => {
    hand.leave()
    const last = now.current
    if (last === null) return
    hold(null)
    onEvent(isDropped ? 'dropped' : 'cancelled', last.from, isDropped ? last.to : last.from)
    if (isDropped && last.to !== last.from) onMove(last.from, last.to)
  }
  const drop = () => leave(true)
  const cancel = () => leave(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in hand is none of the new rows
  useEffect(cancel, [count])
  const keys = (event: KeyboardEvent<HTMLElement>, at: number) => {
    const { current } = now
    const isGrip = event.key === ' ' || event.key === 'Enter' || (current !== null && event.key === 'Tab')
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (current === null ? !isGrip : !isGrip && step === 0 && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (current === null) pick(at)
    else if (event.key === 'Escape') cancel()
    else if (hand.from.current !== null) return
    else if (isGrip) drop()
    else {
      const to = clamp(current.to + step, 0, count - 1)
      carry(current, to, wayTo(current, to))
      event.currentTarget.scrollIntoView({ block: 'nearest' })
    }
  }
  return {
    held,
    byHand: held !== null && hand.from.current !== null,
    handle: (at) => ({
      onPointerDown: (event) => hand.take(event, at),
      onPointerMove: hand.follow,
      onPointerUp: drop,
      onPointerCancel: cancel,
      onKeyDown: (event) => keys(event, at),
      onBlur: () => {
        if (hand.from.current === null) cancel()
      },
    }),
  }
}

/** A finger or the mouse on a handle: reports the distance from its start, including the scrolling of the page below it. */
function useHand(onWay: (by: number) => void) {
  const from = useRef<number | null>(null)
  const began = useRef(0)
  const y = useRef(0)
  const frame = useRef(0)
  const latestOnWay = useRef(onWay)
  latestOnWay.current = onWay
  const leave = () => {
    from.current = null
    cancelAnimationFrame(frame.current)
  }
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  const scroll = () => {
    const { scrollY } = window
    const way = y.current < EDGE_PX ? -SCROLL_PX : y.current > window.innerHeight - EDGE_PX ? SCROLL_PX : 0
    if (way !== 0) window.scrollBy(0, way)
    if (window.scrollY !== scrollY) latestOnWay.current(y.current + window.scrollY - began.current)
    frame.current = requestAnimationFrame(scroll)
  }
  return {
    /** The index of the dragged row; null if none is dragged. */
    from,
    leave,
    take(event: PointerEvent<HTMLElement>, at: number) {
      if (!event.isPrimary || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = at
      began.current = event.clientY + window.scrollY
      y.current = event.clientY
    },
    follow(event: PointerEvent) {
      if (from.current === null) return
      y.current = event.clientY
      latestOnWay.current(event.clientY + window.scrollY - began.current)
      cancelAnimationFrame(frame.current)
      frame.current = requestAnimationFrame(scroll)
    },
  }
}
