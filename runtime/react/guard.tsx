import { Component, type ReactNode } from 'react'
import type { Text } from '../core/ports.ts'

interface Props {
  readonly type: string
  readonly text: Text
  readonly children: ReactNode
}

/** A failed widget is a small notice in its place; the rest of the page lives on (house-style §7). */
export class Guard extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { type, text, children } = this.props
    if (!this.state.failed) return children
    return (
      <div className="vf-notice" role="note">
        <b>{text('widget.failed')}</b>
        <span>{`WIDGET_FAILED · ${type}`}</span>
      </div>
    )
  }
}
