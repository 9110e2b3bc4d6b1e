import SwipeAction, { type SwipeActionRef } from 'antd-mobile/es/components/swipe-action'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { JsonObject } from '../../core/json.ts'
import { textOf } from '../page/options.ts'
import '../styles/extra.css'

interface Props {
  readonly actions: readonly JsonObject[]
  /** Actions behind the left edge. */
  readonly left?: readonly JsonObject[]
  /** The open side; a change opens or closes it. */
  readonly show?: 'none' | 'left' | 'right'
  /** Closes after one of its buttons was pressed or something else was touched; default true. */
  readonly autoClose?: boolean
  /** Distance in px of a swipe that opens it; default 20. */
  readonly threshold?: number
  /** The actions are rendered at the first touch or focus, so that scrolling a list stays cheap. Requires focusable content in the row. */
  readonly lazy?: boolean
  readonly onAction: (name: string) => void
  readonly onShow?: (side: 'none' | 'left' | 'right') => void
  readonly children: ReactNode
}

const COLOURS: Readonly<Record<string, string>> = {
  danger: 'danger',
  warning: 'warning',
  success: 'success',
  primary: 'primary',
}

/** Dark enough for white text; the library's own light grey is not. */
const PLAIN = '#5f6672'

const THRESHOLD_PX = 20

/** A row with actions behind its edges. Keyboards reach them: a focused action opens its side. */
export default function SwipeRow({
  actions,
  left = [],
  show = 'none',
  autoClose = true,
  threshold = THRESHOLD_PX,
  lazy = false,
  onAction,
  onShow,
  children,
}: Props) {
  const row = useRef<SwipeActionRef>(null)
  const [isReached, setReached] = useState(!lazy || show !== 'none')
  const reach = () => setReached(true)
  const shown = useRef<Props['show']>('none')
  useEffect(() => {
    if (show === shown.current) return
    if (!isReached) return setReached(true) // runs again once the actions are rendered
    shown.current = show
    if (show === 'none') row.current?.close()
    else row.current?.show(show)
  }, [show, isReached])
  const start = useRef<{ readonly x: number; readonly open: boolean } | null>(null)
  const put = (event: PointerEvent<HTMLDivElement>) => {
    start.current = { x: event.clientX, open: show !== 'none' }
    reach()
  }
  const lift = (event: PointerEvent<HTMLDivElement>) => {
    const from = start.current
    start.current = null
    if (from === null || from.open) return
    const dx = event.clientX - from.x
    const side = dx < 0 ? 'right' : 'left'
    if (Math.abs(dx) < threshold || (side === 'right' ? actions : left).length === 0) return
    setTimeout(() => row.current?.show(side)) // after the library has moved it back to the nearest position
  }
  return (
    <div onPointerDownCapture={put} onPointerUpCapture={lift} onFocusCapture={reach}>
      <SwipeAction
        ref={row}
        leftActions={isReached ? left.map(asAction) : []}
        rightActions={isReached ? actions.map(asAction) : []}
        closeOnAction={autoClose}
        closeOnTouchOutside={autoClose}
        onAction={(action) => onAction(String(action.key))}
        onActionsReveal={(side) => onShow?.(side)}
        onClose={() => onShow?.('none')}
      >
        {children}
      </SwipeAction>
    </div>
  )
}

const asAction = (action: JsonObject) => ({
  key: textOf(action.name),
  text: textOf(action.label),
  color: COLOURS[textOf(action.tone)] ?? PLAIN,
})
