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
import { textOf } from './options.ts'
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
const InForm = createContext(false)

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
  const isKept = useMemo(() => isKeptByBrowser(engine.page), [engine])
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
        <Root root={root} classes={classes} isKept={isKept}>
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

/**
 * A form where the browser has something to keep or to complete, which it does in forms only; a page inside of a form is none. Everywhere
 * else a form is dear: a browser looks up every property that is read of it among the names of its fields, at each event of each key.
 */
function Root({
  root,
  classes,
  isKept,
  children,
}: {
  readonly root: RefObject<HTMLElement | null>
  readonly classes: string
  readonly isKept: boolean
  readonly children: ReactNode
}) {
  const props = { ref: root as Ref<HTMLFormElement & HTMLDivElement>, className: `vf-page ${classes}`.trim() }
  return useContext(InForm) || !isKept ? (
    <div {...props}>{children}</div>
  ) : (
    <InForm.Provider value={true}>
      <form {...props} noValidate onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </InForm.Provider>
  )
}

/** Passwords, and what is completed by what it is called (a name, a telephone). */
function isKeptByBrowser({ nodes }: Page): boolean {
  for (const node of nodes.values())
    if (node.option('type') === 'password' || !NOT_COMPLETED.has(textOf(node.option('autocomplete'))))
      return true
  return false
}

const NOT_COMPLETED: ReadonlySet<string> = new Set(['', 'off'])

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
