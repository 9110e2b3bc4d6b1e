import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import {
  restingSide,
  type SwipeSide,
  type SwipeWidths,
  swipedTo,
  swipePosition,
} from '../../core/widgets/swiping.ts'

export interface SwipeOptions {
  /** The open side; a change opens or closes it. */
  readonly show: SwipeSide
  /** Closes when something else is touched or focused. */
  readonly autoClose: boolean
  /** Distance in px of a drag that opens or closes it. */
  readonly threshold: number
  /** The user opened or closed it. */
  readonly onShow?: ((side: SwipeSide) => void) | undefined
}

/** A pointer that holds the row, where it began, and how far it has moved. */
interface Hold {
  readonly id: number
  readonly x: number
  readonly y: number
  by: number
  /** Once it is a drag; null until then. */
  widths: SwipeWidths | null
}

/** Movement in px after which a touch is a drag; before, it is a tap or the beginning of a scroll. */
const SLOP_PX = 8

/**
 * A row that is dragged aside. Its track (`track`: actions, content, actions) is moved without rendering: only opening and closing render, and only
 * the row itself.
 */
export function useSwipe({ show, autoClose, threshold, onShow }: SwipeOptions) {
  const box = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const hold = useRef<Hold | null>(null)
  const wasDragged = useRef(false)
  const [side, setSide] = useState(show)
  const [given, setGiven] = useState(show)
  if (show !== given) {
    setGiven(show)
    setSide(show)
  }
  const change = (next: SwipeSide) => {
    if (next === side) return
    setSide(next)
    onShow?.(next)
  }
  const latest = useRef(change)
  useLayoutEffect(() => {
    latest.current = change
    // A closed row that was never moved is not measured: that would lay out each card of a list by itself.
    if (track.current !== null && (side !== 'none' || track.current.style.transform !== ''))
      place(track.current, swipePosition(side, widthsOf(track.current)), true)
  })
  useEffect(() => {
    if (side === 'none' || !autoClose) return
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) latest.current('none')
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [side, autoClose])

  const drop = (event: PointerEvent) => {
    const held = hold.current
    if (held === null || event.pointerId !== held.id) return
    hold.current = null
    const { widths } = held
    if (widths === null || track.current === null) return
    const next = event.type === 'pointercancel' ? side : restingSide(side, held.by, widths, threshold)
    place(track.current, swipePosition(next, widths), true)
    change(next)
    // The click that ends a drag follows in the same task.
    setTimeout(() => {
      wasDragged.current = false
    })
  }
  return {
    box,
    track,
    change,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (!event.isPrimary || event.button > 0) return
        hold.current = { id: event.pointerId, x: event.clientX, y: event.clientY, by: 0, widths: null }
      },
      onPointerMove(event: PointerEvent) {
        const held = hold.current
        if (held === null || event.pointerId !== held.id || track.current === null) return
        held.by = event.clientX - held.x
        if (held.widths === null) {
          const down = Math.abs(event.clientY - held.y)
          if (Math.abs(held.by) < SLOP_PX || down > Math.abs(held.by)) return
          held.widths = widthsOf(track.current)
          wasDragged.current = true
          box.current?.setPointerCapture(held.id)
        }
        place(track.current, swipedTo(side, held.by, held.widths), false)
      },
      onPointerUp: drop,
      onPointerCancel: drop,
      onClickCapture(event: MouseEvent) {
        const isOnActions = event.target instanceof Element && event.target.closest('.vf-swipe-acts') !== null
        if (!wasDragged.current && (side === 'none' || isOnActions)) return
        event.preventDefault()
        event.stopPropagation()
        if (!wasDragged.current) change('none')
      },
      onBlur(event: FocusEvent) {
        if (autoClose && side !== 'none' && !event.currentTarget.contains(event.relatedTarget)) change('none')
      },
    },
  }
}

/** The widths of the first and the last child of a track. */
function widthsOf(track: HTMLElement): SwipeWidths {
  const [left, right] = [track.firstElementChild, track.lastElementChild]
  return {
    left: left instanceof HTMLElement ? left.offsetWidth : 0,
    right: right instanceof HTMLElement ? right.offsetWidth : 0,
  }
}

function place(track: HTMLElement, x: number, isAtRest: boolean): void {
  const { style } = track
  style.transition = isAtRest ? '' : 'none'
  style.transform = x === 0 ? '' : `translate3d(${x}px, 0, 0)`
}
