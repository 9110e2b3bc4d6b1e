import type { HookCall, Script, ScriptPage, ScriptSession } from '../core/ports.ts'
import { ABSENT, createLife } from './life.ts'

/**
 * A Script port that is loaded when the first page with code opens. Calls made before that are queued. While it cannot be
 * loaded, hooks stay queued and questions fail (HOOKS 1.5).
 */
export function fetchedScript(load: () => Promise<Script>): Script {
  return { open: (page) => openLater(page, load) }
}

function openLater(page: ScriptPage, load: () => Promise<Script>): ScriptSession {
  /** The page's state when it was opened, on which the queued posts build. */
  let opening: ReturnType<ScriptPage['snapshot']> | null = page.snapshot()
  const waiting: ((session: ScriptSession) => void)[] = []
  /** What waits for an answer until the code is there, or turns out not to come. */
  const pending = new Set<() => void>()
  let session: ScriptSession | null = null
  const life = createLife({ start, fail, report: page.onReport })
  const whenReady = (task: (session: ScriptSession) => void): void => {
    if (session === null) waiting.push(task)
    else task(session)
  }
  /** An answer of the session, or `otherwise` while there is none to be had. */
  const answerOf = <T>(ask: (session: ScriptSession) => Promise<T>, otherwise: T): Promise<T> =>
    new Promise((resolve) => {
      if (session !== null) return resolve(ask(session))
      if (life.state !== 'starting') return resolve(otherwise)
      const giveUp = () => resolve(otherwise)
      pending.add(giveUp)
      waiting.push((to) => {
        if (pending.delete(giveUp)) resolve(ask(to))
      })
    })
  function start(): void {
    load().then(begin, life.loadFailed)
  }
  function fail(): void {
    for (const giveUp of pending) giveUp()
    pending.clear()
  }
  function begin(script: Script): void {
    if (life.state === 'ended') return
    life.started()
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
  start()
  return {
    post: (turn, writes, fire) => whenReady((to) => to.post(turn, writes, fire)),
    setContext: (context) => whenReady((to) => to.setContext(context)),
    ask: (call: HookCall, onLeftOpen) => answerOf((to) => to.ask(call, onLeftOpen), ABSENT),
    settled: () => answerOf((to) => to.settled(), undefined),
    dispose() {
      life.close()
      session?.dispose()
    },
  }
}
