import { Component, type ReactNode, useState } from 'react'
import { RuntimeError } from '../../core/errors.ts'
import type { Text } from '../../core/ports.ts'
import { ViewMissing } from './view-registry.ts'

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
  readonly missing: ViewMissing | null
}

const WHOLE: State = { fault: null, missing: null }

/**
 * An error boundary for one widget: shows a small notice with code and pointer, while the rest of the page works on. If the widget's code could not be
 * loaded, a button loads it again; the widget is also drawn when it was loaded for another place.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = WHOLE

  static getDerivedStateFromError(error: unknown): State {
    return {
      fault: error instanceof RuntimeError ? error.code : '',
      missing: error instanceof ViewMissing ? error : null,
    }
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof ViewMissing) void error.loaded.then(() => this.setState(WHOLE))
  }

  override render(): ReactNode {
    const { type, pointer, text, children } = this.props
    const { fault, missing } = this.state
    if (fault === null) return children
    return (
      <div className="vf-notice" role="note">
        <b>{text(missing === null ? 'widget.failed' : 'list.failed')}</b>
        <span>{['WIDGET_FAILED', fault, type, pointer].filter((part) => part !== '').join(' · ')}</span>
        {missing !== null && <Retry missing={missing} text={text} />}
      </div>
    )
  }
}

function Retry({ missing, text }: { readonly missing: ViewMissing; readonly text: Text }) {
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await missing.retry()
    setBusy(false)
  }
  return (
    <button type="button" className="vf-link" disabled={isBusy} onClick={retry}>
      {text('list.retry')}
    </button>
  )
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
