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

/** What happened on the canvas that would have reached the world, and what its code reported. */
interface Happened {
  readonly what: string
  readonly detail: string
}

/** The draft as it is drawn; the last one that opened while the newest does not. */
export interface Canvas {
  /** Null until the page was drawn once. */
  readonly drawn: Drawn | null
  /** Why the newest draft is not what is in sight. */
  readonly broken: Drawn['problems']
  readonly happened: readonly Happened[]
  /** Turns of the page's code, the newest first. */
  readonly runs: readonly Run[]
  /** Runs a hook on the page as it is now; false while no code of it is open. */
  readonly runHook: (call: HookCall) => boolean
  /** What opening the page and drawing it takes on this device, in milliseconds; null until that was done a few times. */
  readonly drawMs: number | null
  /** The page was drawn within this time. */
  readonly drew: (ms: number) => void
  /** Opens and draws the page once more, with what was typed and loaded in it. */
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

const KEPT = 50
/** Pause in typing before the page is reopened for a change that it shows already, in milliseconds. */
const REST_MS = 400
/** Views let go of a replaced draft first. */
const LEAVE_MS = 200

const NO_SAMPLE = (): null => null

/** Answers for everything that a page asks. */
const samplesOf =
  ({ page, scope }: Engine) =>
  (url: string): Json | null =>
    sampleAnswer(page, url, (dict) => {
      const items = ownValue(scope().dict, dict)
      return Array.isArray(items) ? items.map((one: Json) => ownValue(one, 'value') ?? null) : []
    })

/** A page that is to be drawn, and what its references stand for. */
export interface ToDraw {
  readonly document: Json
  readonly expansions: Expansions
}

/** Follows a draft: each becomes a page of the runtime as soon as what it refers to is known. */
export function useDrawn({ document, expansions }: ToDraw, look: Look): Canvas {
  const { isReady, params, role, language, isSample } = look
  const { engine: outer, views } = usePage()
  const [happened, setHappened] = useState<readonly Happened[]>([])
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const [broken, setBroken] = useState<Drawn['problems']>([])
  const engine = useRef<Engine | null>(null)
  const tell = useMemo(
    () => (what: string, detail: string) => setHappened((list) => [{ what, detail }, ...list].slice(0, KEPT)),
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
        tell,
        (url) => reads.current.has(url),
        (url) => sample.current(url),
      ),
    [outer, tell, watched],
  )
  const { drawMs, opened, drew } = useDrawTimes()
  const [again, setAgain] = useState(0)
  const redraw = useCallback(() => setAgain((n) => n + 1), [])
  const key = JSON.stringify(params)
  const shown = useRef<Shown | null>(null)
  const seen = `${key} ${role?.id ?? ''} ${language} ${isSample}`
  useEffect(() => {
    if (!isReady || isWaiting(document, expansions)) return
    let isOver = false
    const last = shown.current
    const open = () => {
      const onReport = ({ hook, code, message }: ScriptReport) => tell(`${code} ${hook}`, message)
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
        shown.current = { drawn: next, document, seen, again }
        setDrawn(next)
        if (old !== null) outer.ports.clock.after(LEAVE_MS, () => old.dispose())
        void next.engine?.pageEvent('load').then(() => next.engine?.pageEvent('show'))
      })
    }
    // What is typed into a property is on the page that is open; it is opened again when the hand rests.
    const isSame = last !== null && last.seen === seen && last.again === again
    const isQuick = isSame && showQuickly(last.drawn, last.document, document)
    if (last !== null && isQuick) shown.current = { ...last, document }
    const cancel = isQuick ? outer.ports.clock.after(REST_MS, open) : open()
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
    again,
    tell,
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

/** What is in sight, and the draft it shows; with whose eyes, and at which asking. */
interface Shown {
  readonly drawn: Drawn
  readonly document: Json
  readonly seen: string
  readonly again: number
}

/** So many drawings tell how long one takes: the first ones of a page also make ready what all others use. */
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

/** At first the page waits for what it refers to; later drafts are drawn without the newest reference meanwhile. */
const isWaiting = (document: Json, expansions: Expansions): boolean =>
  expansions.size === 0 && resolvePage(document, expansions).missing.length > 0
