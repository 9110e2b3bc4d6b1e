import { failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import type { HookCall, Outcome, Script, ScriptPage, ScriptSession } from '../core/ports.ts'
import { AGAIN_MS, UNAVAILABLE } from './unavailable.ts'

/**
 * A Script port that is loaded when the first page with code opens. Calls made before that are queued. If it cannot be loaded, SCRIPT_UNAVAILABLE is
 * reported and loading is tried again while the page is open: hooks stay queued, questions fail.
 */
export function fetchedScript(load: () => Promise<Script>): Script {
  return { open: (page) => openLater(page, load) }
}

function openLater(page: ScriptPage, load: () => Promise<Script>): ScriptSession {
  /** The page's state when it was opened, on which the queued posts build. */
  let opening: ReturnType<ScriptPage['snapshot']> | null = page.snapshot()
  const waiting: ((session: ScriptSession) => void)[] = []
  /** What waits for an answer until the code is there, or turns out not to come. */
  const asked = new Set<() => void>()
  let session: ScriptSession | null = null
  let isAway = false
  let isDisposed = false
  let again: ReturnType<typeof setTimeout> | undefined
  const tell = (task: (session: ScriptSession) => void): void => {
    if (session === null) waiting.push(task)
    else task(session)
  }
  /** An answer of the session, or `otherwise` while there is none to be had. */
  const answerOf = <T>(ask: (session: ScriptSession) => Promise<T>, otherwise: T): Promise<T> =>
    new Promise((resolve) => {
      if (session !== null) return resolve(ask(session))
      if (isAway || isDisposed) return resolve(otherwise)
      const giveUp = () => resolve(otherwise)
      asked.add(giveUp)
      waiting.push((to) => {
        if (asked.delete(giveUp)) resolve(ask(to))
      })
    })
  function giveUp(): void {
    for (const one of asked) one()
    asked.clear()
  }
  function begin(script: Script): void {
    if (isDisposed) return
    const opened = script.open({
      ...page,
      snapshot() {
        const state = opening ?? page.snapshot()
        opening = null
        return state
      },
    })
    session = opened
    for (const task of waiting.splice(0)) task(opened)
  }
  function failed(): void {
    if (isDisposed) return
    if (!isAway) page.onReport(UNAVAILABLE)
    isAway = true
    giveUp()
    again = setTimeout(fetch, AGAIN_MS.at(-1))
  }
  const fetch = (): void => void load().then(begin, failed)
  fetch()
  return {
    post: (turn, writes, fire) => tell((to) => to.post(turn, writes, fire)),
    setContext: (context) => tell((to) => to.setContext(context)),
    ask: (call: HookCall, onLeftOpen) => answerOf((to) => to.ask(call, onLeftOpen), NO_ANSWER),
    settled: () => answerOf((to) => to.settled(), undefined),
    dispose() {
      isDisposed = true
      clearTimeout(again)
      giveUp()
      session?.dispose()
    },
  }
}

const NO_ANSWER: Outcome<Json> = {
  ok: false,
  error: failure('SCRIPT_ERROR', { reason: UNAVAILABLE.message }),
}
