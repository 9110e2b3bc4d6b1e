import SwipeAction from 'antd-mobile/es/components/swipe-action'
import type { ReactNode } from 'react'
import type { JsonObject } from '../core/json.ts'
import { textOf } from './options.ts'

interface Props {
  readonly actions: readonly JsonObject[]
  readonly onAction: (name: string) => void
  readonly children: ReactNode
}

const COLOURS: Readonly<Record<string, string>> = {
  danger: 'danger',
  warning: 'warning',
  success: 'success',
  primary: 'primary',
}

/** A row with actions behind its right edge. */
export default function SwipeRow({ actions, onAction, children }: Props) {
  return (
    <SwipeAction
      rightActions={actions.map((action) => ({
        key: textOf(action.name),
        text: textOf(action.label),
        color: COLOURS[textOf(action.tone)] ?? 'light',
      }))}
      onAction={(action) => onAction(String(action.key))}
    >
      {children}
    </SwipeAction>
  )
}
