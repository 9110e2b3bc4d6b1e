import SwipeAction, { type SwipeActionRef } from 'antd-mobile/es/components/swipe-action'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { JsonObject } from '../../core/json.ts'
import { textOf } from '../page/options.ts'
import '../styles/extra.css'

interface Props {
  readonly actions: readonly JsonObject[]
  /** Actions behind the left edge. */
  readonly left?: readonly JsonObject[]
  /** Which side is open; a change opens or shuts it. */
  readonly show?: 'none' | 'left' | 'right'
  /** Shuts after one of its buttons was pressed or something else was touched; default true. */
  readonly autoClose?: boolean
  /** Px to draw before it opens; default 20. */
  readonly threshold?: number
  /** The actions are made with the first touch or focus: a list that is scrolled makes none. What is in the row can be focused. */
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

/** White words can be read on it; the kit's own light grey is too light for them. */
const PLAIN = '#5f6672'

const THRESHOLD_PX = 20

/** A row with actions behind its edges. The keyboard reaches them: a focused action opens its side. */
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
    if (!isReached) return setReached(true) // then once more, when there is something to show
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
    setTimeout(() => row.current?.show(side)) // once the library has brought it back to where it was nearest
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
