import { Component, type ReactNode } from 'react'
import { RuntimeError } from '../../core/errors.ts'
import type { Text } from '../../core/ports.ts'

interface Props {
  readonly type: string
  /** JSON pointer of the widget in the document. */
  readonly pointer: string
  readonly text: Text
  readonly children: ReactNode
}

interface State {
  /** Code of the error; null if there is none. */
  readonly fault: string | null
}

/** An error boundary for one widget: shows a small notice with code and pointer, while the rest of the page works on. */
export class ErrorBoundary extends Component<Props, State> {
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
  /** Draws all widgets; with a guard for each after one of them failed. */
  readonly draw: (isGuarded: boolean) => ReactNode
}

/** One error boundary for several widgets, which is cheaper than one for each. */
export class CardErrorBoundary extends Component<CardProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.props.draw(this.state.failed)
  }
}
