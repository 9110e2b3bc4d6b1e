import {
  createContext,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Engine } from '../../core/engine.ts'
import type { Page } from '../../core/page/page.ts'
import type { Missing } from '../rows/auto-sources.tsx'
import { FailedNote } from '../rows/failed-rows.tsx'
import { prepareSources, SourcesPart } from '../rows/sources-part.tsx'
import { WindowedChildren } from '../rows/windowed-children.tsx'
import { createWidgetViews } from '../widgets/index.ts'
import { PageContext, PageVisible } from './page-context.ts'
import { prepareStyle, usePageStyle } from './page-style.ts'
import { createRevealer, PAGE_ROOT } from './revealer.ts'
import type { ViewRegistry } from './view-registry.ts'
import 'antd-mobile/es/global'
import '../styles/theme.css'
import '../styles/page.css'
import '../styles/field.css'

export interface PageViewProps {
  readonly engine: Engine
  /** Default: the whole catalogue. */
  readonly views?: ViewRegistry
  /** Called at each draw of a widget with its key; for stages that count draws. */
  readonly onDraw?: (key: string) => void
  /** False while the page stays mounted out of sight. Default true. */
  readonly visible?: boolean
  /** Drawn while views are being fetched. */
  readonly waiting?: ReactNode
}

const catalogue = createWidgetViews()

/** True below a page's own form. */
const InPage = createContext(false)

/**
 * Draws an open page and keeps its data sources fresh. Views that the page needs and that were not fetched before are fetched
 * first, all at once.
 */
export function PageView({
  engine,
  views = catalogue,
  onDraw,
  visible = true,
  waiting = null,
}: PageViewProps) {
  const root = useRef<HTMLElement>(null)
  const revealer = useMemo(() => createRevealer(engine, () => root.current), [engine])
  const ready = useViews(engine, views)
  const { root: classes, scope } = usePageStyle(engine.page, ready)
  const page = useMemo(
    () => ({ engine, views, revealer, scope, Children: WindowedChildren, Page: PageView, onDraw }),
    [engine, views, revealer, scope, onDraw],
  )
  const [missing, setMissing] = useState<Missing | null>(null)
  useEffect(() => engine.onReveal(revealer.reveal), [engine, revealer])
  return (
    <PageContext.Provider value={page}>
      <PageVisible.Provider value={visible}>
        {engine.page.dataSources.size > 0 && (
          <SourcesPart engine={engine} root={root} onMissing={setMissing} />
        )}
        <Root root={root} classes={classes}>
          {missing !== null ? (
            <FailedNote refusal={missing.refusal} onRetry={missing.retry} />
          ) : ready ? (
            <WindowedChildren container={PAGE_ROOT} keys={engine.page.roots} />
          ) : (
            waiting
          )}
        </Root>
      </PageVisible.Provider>
    </PageContext.Provider>
  )
}

/** A form for the browser, which keeps passwords and completes names in forms only; a page inside of a page is none. */
function Root({
  root,
  classes,
  children,
}: {
  readonly root: RefObject<HTMLElement | null>
  readonly classes: string
  readonly children: ReactNode
}) {
  const props = { ref: root as Ref<HTMLFormElement & HTMLDivElement>, className: `vf-page ${classes}`.trim() }
  return useContext(InPage) ? (
    <div {...props}>{children}</div>
  ) : (
    <InPage.Provider value={true}>
      <form {...props} noValidate onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </InPage.Provider>
  )
}

/** Fetches all that a page is drawn with; null when it is there. */
export function preparePage(page: Page, views: ViewRegistry): Promise<void> | null {
  const types = Array.from(page.nodes.values(), (node) => node.type)
  const wanted = [views.prepare(types), prepareSources(page), prepareStyle(page)].filter(
    (each) => each !== null,
  )
  return wanted.length === 0 ? null : Promise.all(wanted).then(() => undefined)
}

/** True once every view of the page is there. */
function useViews(engine: Engine, views: ViewRegistry): boolean {
  const fetching = useMemo(() => preparePage(engine.page, views), [engine, views])
  const [done, setDone] = useState<Promise<void> | null>(null)
  useEffect(() => {
    let open = true
    fetching?.then(() => {
      if (open) setDone(fetching)
    })
    return () => {
      open = false
    }
  }, [fetching])
  return fetching === null || done === fetching
}
