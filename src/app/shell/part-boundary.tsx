import { Component, type ReactNode } from 'react'
import { PageFailed } from './page-notice.tsx'

interface Props {
  readonly children: ReactNode
}

/**
 * Wraps parts of the shell that are loaded on demand: if one cannot be loaded it shows a message, and a tap reloads the app (SHELL 1.5). The input is
 * in its draft.
 */
export class PartBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <PageFailed onRetry={() => location.reload()} /> : this.props.children
  }
}
