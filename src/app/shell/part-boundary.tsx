import { Component, type ReactNode } from 'react'
import { PageFailed } from './page-notice.tsx'

interface Props {
  readonly children: ReactNode
}

/**
 * Around parts of the shell that are fetched on demand: one that does not come says so, and a tap loads the app again (SHELL 1.5).
 * What was typed is in its draft.
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
