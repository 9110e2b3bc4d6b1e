import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Engine } from '../../../runtime/core/engine.ts'
import { OpenedBeside } from '../../../runtime/react/desk/opened-beside.ts'
import { fetchPart } from '../../../runtime/react/page/fetch-part.ts'
import { WindowScroll } from '../../../runtime/react/page/page-context.ts'
import { PageView } from '../../../runtime/react/page/page-view.tsx'
import type { ViewRegistry } from '../../../runtime/react/page/view-registry.ts'
import { pullOf } from '../../../runtime/react/rows/pull-part.ts'
import { useApp, useStore } from '../app-context.ts'
import { watchBottom } from '../navigation/reach-bottom.ts'
import type { OpenPage, OpenPageState } from '../pages/open-page.ts'
import { NavigationBar } from './navigation-bar.tsx'
import { type ClosedReason, PageBroken, PageClosed, PageFailed, PageLoading } from './page-notice.tsx'
import { PartBoundary } from './part-boundary.tsx'

/** Loaded by authors only. */
const AuthorBanner = lazy(() => fetchPart(() => import('./author-banner.tsx')))
const ConflictDialog = lazy(() => fetchPart(() => import('./conflict-dialog.tsx')))

/** Hidden, alone, or one of two pages that a wide window shows side by side. */
export type PagePlace = 'hidden' | 'alone' | 'list' | 'record'

interface PageFrameProps {
  readonly page: OpenPage
  readonly place: PagePlace
  /** The query of the page that is shown beside this list. */
  readonly opened: Readonly<Record<string, string>> | null
  /** False for the first page of the stack. */
  readonly canGoBack: boolean
}

/** An opened page with its bar; stays mounted while it is hidden. */
export function PageFrame({ page, place, opened, canGoBack }: PageFrameProps) {
  const { routes, text } = useApp()
  const state = useStore(page.state)
  const route = routes.find(page.entry.path)
  const closed = closedReason(state, route !== undefined)
  const named = closed !== null && route?.shared !== false ? text(closed) : (route?.title ?? '')
  const title = useTitle(state.engine, named)
  const hasNoBar = state.engine?.page.settings.navigationBar === 'none'
  const visible = place !== 'hidden'
  const isList = place === 'list'
  useEffect(() => {
    if (visible && !isList) document.title = title
  }, [title, visible, isList])
  return (
    <section className={`page page-${place}`} hidden={!visible} data-page={page.entry.path}>
      {!hasNoBar && <NavigationBar title={title} canGoBack={canGoBack && !isList} />}
      {state.restored && (
        <div className="draft-notice" role="status">
          {text('draft.restored')}
          <span aria-hidden="true"> · </span>
          <button type="button" onClick={() => void page.discardDraft()}>
            {text('draft.clear')}
          </button>
        </div>
      )}
      {state.engine && state.problems.length > 0 && (
        <PartBoundary>
          <Suspense>
            <AuthorBanner path={page.path} problems={state.problems} />
          </Suspense>
        </PartBoundary>
      )}
      <main className="page-body" tabIndex={-1} {...(isList && { role: 'region', 'aria-label': title })}>
        <PartBoundary>
          {/* A record beside its list scrolls separately; the window scrolls the list. */}
          <WindowScroll value={place !== 'record'}>
            <OpenedBeside value={opened}>
              <PageBody page={page} state={state} closed={closed} visible={visible} />
            </OpenedBeside>
          </WindowScroll>
        </PartBoundary>
      </main>
      {state.engine && visible && <Conflict engine={state.engine} />}
    </section>
  )
}

interface PageBodyProps {
  readonly page: OpenPage
  readonly state: OpenPageState
  readonly closed: ClosedReason | null
  readonly visible: boolean
}

/** Why there is no page to draw; null if there is one, or may be. */
function closedReason(
  { refused, failure, engine, problems }: OpenPageState,
  isKnown: boolean,
): ClosedReason | null {
  if (!isKnown) return 'page.notFound'
  if (refused || failure?.status === 405) return 'page.refused'
  return engine === null && problems.length === 0 && failure?.status === 404 ? 'page.notFound' : null
}

function PageBody({ page, state, closed, visible }: PageBodyProps) {
  const { views } = useApp()
  if (closed !== null) return <PageClosed reason={closed} />
  if (state.engine) return <EnginePage engine={state.engine} views={views} visible={visible} />
  if (state.problems.length > 0) return <PageBroken path={page.path} problems={state.problems} />
  if (state.failure) return <PageFailed onRetry={page.reload} />
  return <PageLoading />
}

function Conflict({ engine }: { readonly engine: Engine }) {
  const conflict = useSyncExternalStore(engine.subscribeScope, engine.conflict)
  return (
    conflict && (
      <PartBoundary>
        <Suspense>
          <ConflictDialog engine={engine} conflict={conflict} />
        </Suspense>
      </PartBoundary>
    )
  )
}

interface EnginePageProps {
  readonly engine: Engine
  readonly views: ViewRegistry
  readonly visible: boolean
}

/** The page itself, with the events of the window: end reached, pulled down if the page allows it. */
function EnginePage({ engine, views, visible }: EnginePageProps) {
  useEffect(() => {
    if (!visible) return
    const look = watchBottom(windowPlace, engine.ports.clock, () => void engine.pageEvent('reachBottom'))
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [engine, visible])
  // Constant while the page is open: adding the wrapper later would remount the page and lose focus and input.
  const Pull = useMemo(() => pullOf(engine.page), [engine])
  const page = <PageView engine={engine} views={views} visible={visible} />
  if (Pull === null) return page
  return (
    <Pull
      text={engine.ports.text}
      clock={engine.ports.clock}
      onRefresh={async () => {
        await engine.pageEvent('pullDownRefresh')
        await engine.refresh()
      }}
    >
      {page}
    </Pull>
  )
}

const windowPlace = () => ({
  scrollY: window.scrollY,
  viewHeight: window.innerHeight,
  pageHeight: document.documentElement.scrollHeight,
})

/** The title from the page's settings, with its placeholders filled in. */
function useTitle(engine: Engine | null, fallback: string): string {
  const title = engine?.page.settings.title
  return useSyncExternalStore(
    (listener) => engine?.subscribeScope(listener) ?? (() => {}),
    () => (engine && title !== undefined ? engine.fill(title) : fallback),
  )
}
