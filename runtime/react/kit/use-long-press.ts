import { type PointerEvent, useEffect, useRef } from 'react'
import { useEngine } from '../page/page-context.ts'

/** Time in milliseconds that a finger must rest, and the distance in px it may move meanwhile. */
const HOLD_MS = 350
const TOLERANCE_PX = 10

/**
 * Handlers for a long press: one finger, 350 ms, at most 10 px of movement per axis. The click that follows is suppressed, so that a card does not
 * open behind its menu.
 */
export function useLongPress(onLongPress: (() => void) | undefined) {
  const { clock } = useEngine().ports
  const start = useRef({ x: 0, y: 0 })
  const cancel = useRef(() => {})
  const pressed = useRef(false)
  useEffect(() => () => cancel.current(), [])
  if (onLongPress === undefined) return {}
  const stop = () => cancel.current()
  return {
    onPointerDown(event: PointerEvent) {
      stop()
      pressed.current = false
      if (!event.isPrimary || event.button > 0) return
      start.current = { x: event.clientX, y: event.clientY }
      cancel.current = clock.after(HOLD_MS, () => {
        pressed.current = true
        onLongPress()
      })
    },
    onPointerMove(event: PointerEvent) {
      const { x, y } = start.current
      if (Math.abs(event.clientX - x) > TOLERANCE_PX || Math.abs(event.clientY - y) > TOLERANCE_PX) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu(event: { preventDefault(): void }) {
      event.preventDefault()
    },
    onClickCapture(event: { preventDefault(): void; stopPropagation(): void }) {
      if (!pressed.current) return
      pressed.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
