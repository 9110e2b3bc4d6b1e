import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Engine } from '../../../runtime/core/engine.ts'
import { type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import type { HookCall, ScriptReport } from '../../../runtime/core/ports.ts'
import { usePage } from '../../../runtime/react/page/page-context.ts'
import { createCanvasPorts, readsOf } from './canvas-ports.ts'
import { type Drawn, openDraft, prepared } from './draw.ts'
import type { Look } from './look.ts'
import { showQuickly } from './quick-edit.ts'
import { type Expansions, resolvePage } from './resolve-page.ts'
import { sampleAnswer } from './sample-answer.ts'
import { type Run, watchScript } from './watch-script.ts'

/** Actions on the canvas that would have affected the outside world, and errors reported by its code. */
interface Happened {
  readonly event: string
  readonly detail: string
}

/** The draft as drawn; the last one that could be opened if the newest cannot. */
export interface Canvas {
  /** Null until the page was drawn once. */
  readonly drawn: Drawn | null
  /** Why the newest draft is not the one shown. */
  readonly broken: Drawn['problems']
  readonly happened: readonly Happened[]
  /** Script runs of the page, newest first. */
  readonly runs: readonly Run[]
  /** Runs a hook on the current page; false while no code of it is loaded. */
  readonly runHook: (call: HookCall) => boolean
  /** The time for opening and drawing the page on this device, in milliseconds; null until measured a few times. */
  readonly drawMs: number | null
  /** Reports the time of a drawing. */
  readonly drew: (ms: number) => void
  /** Opens and draws the page again, with the typed and loaded values. */
  readonly redraw: () => void
}

export const CanvasContext = createContext<Canvas>({
  drawn: null,
  broken: [],
  happened: [],
  runs: [],
  runHook: () => false,
  drawMs: null,
  drew: () => {},
  redraw: () => {},
})
export const useCanvas = (): Canvas => useContext(CanvasContext)

const MAX_EVENTS = 50
/** Pause in typing before the page is reopened for a change that it already shows, in milliseconds. */
const REST_MS = 400
/** Delay until a replaced draft is closed, so that its views are removed first. */
const LEAVE_MS = 200

const NO_SAMPLE = (): null => null

/** Answers to all requests of a page. */
const samplesOf =
  ({ page, scope }: Engine) =>
  (url: string): Json | null =>
    sampleAnswer(page, url, (dict) => {
      const items = ownValue(scope().dict, dict)
      return Array.isArray(items) ? items.map((item: Json) => ownValue(item, 'value') ?? null) : []
    })

/** A page to be drawn, and the replacements of its references. */
export interface ToDraw {
  readonly document: Json
  readonly expansions: Expansions
}

/** True while somebody types in the page on trial: reopened, it would not know that the typed value is still to be reported as changed. */
const isTypedIn = (): boolean => document.activeElement?.matches('.wb-paper :is(input, textarea)') === true

/** Follows a draft: each one is opened as a page of the runtime once its references are known. */
export function useDrawn({ document, expansions }: ToDraw, look: Look): Canvas {
  const { isReady, params, role, language, isSample } = look
  const { engine: outer, views } = usePage()
  const [happened, setHappened] = useState<readonly Happened[]>([])
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const [broken, setBroken] = useState<Drawn['problems']>([])
  const engine = useRef<Engine | null>(null)
  const report = useMemo(
    () => (event: string, detail: string) =>
      setHappened((list) => [{ event, detail }, ...list].slice(0, MAX_EVENTS)),
    [],
  )
  const reads = useRef<ReadonlySet<string>>(new Set())
  const sample = useRef<(url: string) => Json | null>(NO_SAMPLE)
  const [runs, setRuns] = useState<readonly Run[]>([])
  const watched = useMemo(() => watchScript(outer.ports.script, outer.ports.clock, setRuns), [outer])
  const ports = useMemo(
    () =>
      createCanvasPorts(
        { ...outer.ports, script: watched.script },
        report,
        (url) => reads.current.has(url),
        (url) => sample.current(url),
      ),
    [outer, report, watched],
  )
  const { drawMs, opened, drew } = useDrawTimes()
  const [redraws, setAgain] = useState(0)
  const redraw = useCallback(() => setAgain((n) => n + 1), [])
  const key = JSON.stringify(params)
  const shown = useRef<Shown | null>(null)
  const seen = `${key} ${role?.id ?? ''} ${language} ${isSample}`
  useEffect(() => {
    if (!isReady || isWaiting(document, expansions)) return
    let isOver = false
    const last = shown.current
    const open = () => {
      const onReport = ({ hook, code, message }: ScriptReport) => report(`${code} ${hook}`, message)
      const look = { params: JSON.parse(key) as JsonObject, role, language }
      const options = { expansions, outer, views, ports, look, onReport }
      const begun = outer.ports.clock.now()
      const next = openDraft(document, last?.seen === seen ? engine.current : null, options)
      opened(outer.ports.clock.now() - begun)
      setBroken(next.engine === null ? next.problems : [])
      if (next.engine === null) return
      reads.current = readsOf(next.engine.page)
      sample.current = isSample ? samplesOf(next.engine) : NO_SAMPLE
      void prepared(next, views).then(() => {
        if (isOver) return next.engine?.dispose()
        const old = engine.current
        engine.current = next.engine
        shown.current = { drawn: next, document, seen, redraws }
        setDrawn(next)
        if (old !== null) outer.ports.clock.after(LEAVE_MS, () => old.dispose())
        void next.engine?.pageEvent('load').then(() => next.engine?.pageEvent('show'))
      })
    }
    // A typed property is applied to the open page; the page is reopened at the next pause.
    const isSame = last !== null && last.seen === seen && last.redraws === redraws
    const isQuick = isSame && showQuickly(last.drawn, last.document, document)
    if (last !== null && isQuick) shown.current = { ...last, document }
    let cancel: (() => void) | undefined
    const rest = () => {
      cancel = outer.ports.clock.after(REST_MS, () => (isTypedIn() ? rest() : open()))
    }
    if (isQuick) rest()
    else open()
    return () => {
      isOver = true
      cancel?.()
    }
  }, [
    document,
    expansions,
    outer,
    views,
    ports,
    isReady,
    key,
    role,
    language,
    isSample,
    seen,
    redraws,
    report,
    opened,
  ])
  useEffect(() => () => engine.current?.dispose(), [])
  return useMemo(
    () => ({
      drawn,
      broken,
      happened,
      runs,
      runHook: watched.run,
      drawMs,
      drew,
      redraw,
    }),
    [drawn, broken, happened, runs, watched, drawMs, drew, redraw],
  )
}

/** What is shown: the draft, the viewer, and the reload. */
interface Shown {
  readonly drawn: Drawn
  readonly document: Json
  readonly seen: string
  readonly redraws: number
}

/** Number of drawings that are measured; the first ones of a page also load code that later ones reuse. */
const DRAWINGS = 3

function useDrawTimes() {
  const times = useRef<readonly number[]>([])
  const openMs = useRef(0)
  const [drawMs, setDrawMs] = useState<number | null>(null)
  const opened = useCallback((ms: number) => {
    openMs.current = ms
  }, [])
  const drew = useCallback((ms: number) => {
    times.current = [...times.current, openMs.current + ms].slice(-DRAWINGS)
    if (times.current.length === DRAWINGS) setDrawMs(Math.min(...times.current))
  }, [])
  return { drawMs, opened, drew }
}

/** The first draft waits for its references; later ones are meanwhile drawn without the newest reference. */
const isWaiting = (document: Json, expansions: Expansions): boolean =>
  expansions.size === 0 && resolvePage(document, expansions).missing.length > 0
