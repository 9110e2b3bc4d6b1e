import SwipeAction, { type SwipeActionRef } from 'antd-mobile/es/components/swipe-action'
import { type ReactNode, useEffect, useRef } from 'react'
import type { JsonObject } from '../core/json.ts'
import { textOf } from './options.ts'
import './styles/extra.css'

interface Props {
  readonly actions: readonly JsonObject[]
  /** Actions behind the left edge. */
  readonly left?: readonly JsonObject[]
  /** Which side is open; a change opens or shuts it. */
  readonly show?: 'none' | 'left' | 'right'
  /** Shuts after one of its buttons was pressed or something else was touched; default true. */
  readonly autoClose?: boolean
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

/** A row with actions behind its edges. The keyboard reaches them: a focused action opens its side. */
export default function SwipeRow({
  actions,
  left = [],
  show = 'none',
  autoClose = true,
  onAction,
  onShow,
  children,
}: Props) {
  const row = useRef<SwipeActionRef>(null)
  useEffect(() => {
    if (show === 'none') row.current?.close()
    else row.current?.show(show)
  }, [show])
  return (
    <SwipeAction
      ref={row}
      leftActions={left.map(asAction)}
      rightActions={actions.map(asAction)}
      closeOnAction={autoClose}
      closeOnTouchOutside={autoClose}
      onAction={(action) => onAction(String(action.key))}
      onActionsReveal={(side) => onShow?.(side)}
      onClose={() => onShow?.('none')}
    >
      {children}
    </SwipeAction>
  )
}

const asAction = (action: JsonObject) => ({
  key: textOf(action.name),
  text: textOf(action.label),
  color: COLOURS[textOf(action.tone)] ?? 'light',
})
