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
import '../styles/theme.css'
import '../styles/page.css'
import '../styles/field.css'

export interface PageViewProps {
  readonly engine: Engine
  /** Default: the whole catalogue. */
  readonly views?: ViewRegistry
  /** Called at each render of a widget with its key; for tests that count renders. */
  readonly onDraw?: (key: string) => void
  /** False while the page stays mounted but hidden. Default true. */
  readonly visible?: boolean
  /** Drawn while views are being loaded. */
  readonly waiting?: ReactNode
}

const catalogue = createWidgetViews()

/** True inside a page's own form. */
const InForm = createContext(false)

/** Draws an open page and keeps its data sources fresh. Views that the page needs are loaded first, all at once. */
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
  const hasAutofill = useMemo(() => hasAutofillFields(engine.page), [engine])
  const page = useMemo(
    () => ({ engine, views, revealer, scope, Children: WindowedChildren, Page: PageView, onDraw }),
    [engine, views, revealer, scope, onDraw],
  )
  const [missing, setMissing] = useState<Missing | null>()
  useEffect(() => engine.onReveal(revealer.reveal), [engine, revealer])
  const retry = () => {
    void preparePage(engine.page, views) // what requests data may not be all that could not be loaded
    missing?.retry()
  }
  return (
    <PageContext.Provider value={page}>
      <PageVisible.Provider value={visible}>
        {engine.page.dataSources.size > 0 && (
          <SourcesPart engine={engine} root={root} onMissing={setMissing} />
        )}
        <Root root={root} classes={classes} isKept={hasAutofill}>
          {missing && <FailedNote refusal={missing.refusal} onRetry={retry} />}
          {/* What was typed stays readable, also of a record that is gone. */}
          {(!missing || engine.dirty()) &&
            (ready ? <WindowedChildren container={PAGE_ROOT} keys={engine.page.roots} /> : waiting)}
        </Root>
      </PageVisible.Provider>
    </PageContext.Provider>
  )
}

/**
 * A form element only if the browser can store or complete something, for which it needs one; never inside another form. Otherwise a form is avoided
 * because it is slow: browsers search the names of its fields for every property that is read of it, at each key event.
 */
function Root({
  root,
  classes,
  isKept: hasAutofill,
  children,
}: {
  readonly root: RefObject<HTMLElement | null>
  readonly classes: string
  readonly isKept: boolean
  readonly children: ReactNode
}) {
  const props = { ref: root as Ref<HTMLFormElement & HTMLDivElement>, className: `vf-page ${classes}` }
  return useContext(InForm) || !hasAutofill ? (
    <div {...props}>{children}</div>
  ) : (
    <InForm.Provider value={true}>
      <form {...props} noValidate onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </InForm.Provider>
  )
}

/** Passwords, and fields that are completed by their name (a person's name, a phone number). */
function hasAutofillFields({ nodes }: Page): boolean {
  return [...nodes.values()].some(
    (node) => node.option('type') === 'password' || !NOT_COMPLETED.has(textOf(node.option('autocomplete'))),
  )
}

const NOT_COMPLETED: ReadonlySet<string> = new Set(['', 'off'])

/** Loads everything needed to draw a page; null if it is loaded. */
export function preparePage(page: Page, views: ViewRegistry): Promise<void> | null {
  const types = Array.from(page.nodes.values(), (node) => node.type)
  const pending = [views.prepare(types), prepareSources(page), prepareStyle(page)].filter(
    (each) => each !== null,
  )
  return pending.length === 0 ? null : Promise.all(pending).then(() => undefined)
}

/** True once every view of the page is loaded. */
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
