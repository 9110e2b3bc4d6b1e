import { Component, type ReactNode } from 'react'
import { RuntimeError } from '../../core/errors.ts'
import type { Text } from '../../core/ports.ts'

interface Props {
  readonly type: string
  /** Where the widget stands in the document. */
  readonly pointer: string
  readonly text: Text
  readonly children: ReactNode
}

interface State {
  /** Code of what went wrong; null while all is well. */
  readonly fault: string | null
}

/** A failed widget is a small notice in its place, with code and pointer; the rest of the page lives on. */
export class Guard extends Component<Props, State> {
  override state: State = { fault: null }

  static getDerivedStateFromError(error: unknown): State {
    return { fault: error instanceof RuntimeError ? error.code : '' }
  }

  override render(): ReactNode {
    const { type, pointer, text, children } = this.props
    const { fault } = this.state
    if (fault === null) return children
    return (
      <div className="vf-notice" role="note">
        <b>{text('widget.failed')}</b>
        <span>{['WIDGET_FAILED', fault, type, pointer].filter((part) => part !== '').join(' · ')}</span>
      </div>
    )
  }
}

interface CardProps {
  /** Draws it all; with a guard for each widget after one of them failed. */
  readonly draw: (isGuarded: boolean) => ReactNode
}

/** Watches over many widgets at the price of one guard. */
export class CardGuard extends Component<CardProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.props.draw(this.state.failed)
  }
}
