import { failure } from '../core/errors.ts'
import type { Script, ScriptPage, ScriptSession } from '../core/ports.ts'

/** A Script port that is loaded when the first page with code opens. Calls made before that are queued. */
export function fetchedScript(load: () => Promise<Script>): Script {
  return { open: (page) => openLater(page, load) }
}

function openLater(page: ScriptPage, load: () => Promise<Script>): ScriptSession {
  /** The page's state when it was opened, on which the queued posts build. */
  let opening: ReturnType<ScriptPage['snapshot']> | null = page.snapshot()
  const waiting: ((session: ScriptSession) => void)[] = []
  let session: ScriptSession | null = null
  const tell = (task: (session: ScriptSession) => void): void => {
    if (session === null) waiting.push(task)
    else task(session)
  }
  function begin(opened: ScriptSession): void {
    session = opened
    for (const task of waiting.splice(0)) task(opened)
  }
  load().then(
    (script) =>
      begin(
        script.open({
          ...page,
          snapshot() {
            const state = opening ?? page.snapshot()
            opening = null
            return state
          },
        }),
      ),
    () => {
      page.onReport({
        hook: 'functions',
        key: '',
        code: 'SCRIPT_STOPPED',
        message: NOT_FETCHED,
        stopped: true,
      })
      begin(NO_SESSION)
    },
  )
  return {
    post: (turn, writes, fire) => tell((to) => to.post(turn, writes, fire)),
    setContext: (context) => tell((to) => to.setContext(context)),
    ask: (call, onLeftOpen) => new Promise((resolve) => tell((to) => resolve(to.ask(call, onLeftOpen)))),
    settled: () => new Promise((resolve) => tell((to) => resolve(to.settled()))),
    dispose: () => tell((to) => to.dispose()),
  }
}

const NOT_FETCHED = 'the code that runs scripts could not be loaded'

/** The session of a page whose code cannot run. */
const NO_SESSION: ScriptSession = {
  post() {},
  setContext() {},
  ask: async () => ({ ok: false, error: failure('SCRIPT_ERROR', { reason: NOT_FETCHED }) }),
  settled: async () => {},
  dispose() {},
}
