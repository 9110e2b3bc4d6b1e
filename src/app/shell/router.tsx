import { lazy, Suspense, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation, Router as Wouter } from 'wouter'
import { useWideWindow } from '../../../runtime/react/kit/use-is-desktop.ts'
import { fetchPart } from '../../../runtime/react/page/fetch-part.ts'
import { useApp, useStore } from '../app-context.ts'
import { usePathInHash, useQueryInHash } from '../navigation/hash-location.ts'
import { topOf } from '../navigation/page-stack.ts'
import { PageFrame, type PagePlace } from './page-frame.tsx'
import { PartBoundary } from './part-boundary.tsx'
import { TabBar } from './tab-bar.tsx'

/** Never loaded by phones. */
const Desk = lazy(() => fetchPart(() => import('./desk.tsx')))

/** The opened pages with the visible one on top, and the menus: at the left of a wide window, else the bottom bar. */
export function Router() {
  return (
    <Wouter hook={usePathInHash} searchHook={useQueryInHash}>
      <Pages />
    </Wouter>
  )
}

function Pages() {
  const { navigation, sideBySide, pages, homePath, session } = useApp()
  const open = useStore(pages.all)
  const { user } = useStore(session.context)
  const stack = useSyncExternalStore(navigation.subscribe, navigation.stack)
  const top = topOf(stack)
  const atDesk = useWideWindow() && user.id !== undefined && user.mustChangePassword !== true
  const list = atDesk ? sideBySide.listOf(stack) : null
  const beside = list !== null && open.has(list.id) ? list.id : null
  const [left, right] = [beside === null ? undefined : open.get(beside), open.get(top.id)]
  useKeptScroll(beside ?? top.id)
  const isEnd = stack.entries.length === 1 && (top.tab || top.path === homePath)
  // A stable order of elements: otherwise React would move them and lose the focus.
  const shown = [...open.values()].sort((a, b) => (a.entry.id < b.entry.id ? -1 : 1))
  return (
    <div className={lookOf(atDesk, beside !== null, top.tab)}>
      {atDesk && (
        <PartBoundary>
          <Suspense>
            <Desk path={top.path} split={left && right ? { list: left, record: right } : null} />
          </Suspense>
        </PartBoundary>
      )}
      {shown.map((page) => (
        <PageFrame
          key={page.entry.id}
          page={page}
          place={placeOf(page.entry.id, top.id, beside)}
          opened={page.entry.id === beside ? top.query : null}
          canGoBack={!isEnd}
        />
      ))}
      {top.tab && !atDesk && <Tabs />}
    </div>
  )
}

function lookOf(atDesk: boolean, isSplit: boolean, hasTabs: boolean): string {
  if (atDesk) return isSplit ? 'app app-desk app-split' : 'app app-desk'
  return hasTabs ? 'app app-with-tabs' : 'app'
}

function placeOf(id: string, top: string, beside: string | null): PagePlace {
  if (id === top) return beside === null ? 'alone' : 'record'
  return id === beside ? 'list' : 'hidden'
}

function Tabs() {
  const [path] = useLocation()
  return <TabBar active={path} />
}

/** Each page keeps its scroll position; a new one begins at the top (SHELL 1.4). */
function useKeptScroll(id: string): void {
  const positions = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const saved = positions.current
    scrollTo(0, saved.get(id) ?? 0)
    const remember = () => saved.set(id, scrollY)
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [id])
}
