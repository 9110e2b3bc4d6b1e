import { lazy, Suspense } from 'react'
import { Icon } from '../../../runtime/react/kit/icon.tsx'
import { fetchPart } from '../../../runtime/react/page/fetch-part.ts'
import { useApp } from '../app-context.ts'
import type { AuthorProblem } from '../pages/live.ts'

/** For authors only: loaded when there is a fault. */
const ProblemList = lazy(() => fetchPart(() => import('./problem-list.tsx')))

/** A loading page; visible only after 200 ms (SHELL 5, page async delay: the style waits). */
export function PageLoading() {
  const { text } = useApp()
  return (
    <div className="page-loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {text('page.loading')}
    </div>
  )
}

/** A page that could not be loaded; a click tries again (SHELL 1). */
export function PageFailed({ onRetry }: { readonly onRetry: () => void }) {
  const { text } = useApp()
  return (
    <button type="button" className="page-failed" onClick={onRetry}>
      {text('page.failed')}
    </button>
  )
}

/** Reasons why a page is not drawn. */
export type ClosedReason = keyof typeof HINTS

const HINTS = { 'page.notFound': 'page.notFound.hint', 'page.refused': 'page.refused.hint' } as const

/** The page does not exist, or the user may not see it. */
export function PageClosed({ reason }: { readonly reason: ClosedReason }) {
  const { navigation, text, homePath } = useApp()
  return (
    <div className="page-closed" role="alert">
      <span className="page-closed-mark" aria-hidden="true">
        <Icon name={reason === 'page.refused' ? 'LockOutline' : 'SearchOutline'} size={32} />
      </span>
      <h2>{text(reason)}</h2>
      <p>{text(HINTS[reason])}</p>
      <button type="button" onClick={() => void navigation.move('reLaunch', homePath)}>
        {text('page.goHome')}
      </button>
    </div>
  )
}

interface PageBrokenProps {
  readonly path: string
  readonly problems: readonly AuthorProblem[]
}

/** The page's document is broken and there is no good version. */
export function PageBroken({ path, problems }: PageBrokenProps) {
  const { text } = useApp()
  return (
    <div className="page-broken" role="alert">
      <h2>{text('author.page.title')}</h2>
      <Suspense>
        <ProblemList path={path} problems={problems} />
      </Suspense>
    </div>
  )
}
