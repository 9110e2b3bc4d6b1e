import { failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import type { Outcome, ScriptReport } from '../core/ports.ts'
import { RETRY_MS } from '../core/retry.ts'

type State = 'starting' | 'running' | 'absent' | 'ended'
/** `loadFailedAgain`: for the third time in a row; `diedAgain`: for the sixth time without a completed run in between. */
type Event = 'started' | 'loadFailedAgain' | 'died' | 'diedAgain' | 'closed'

/** What each event makes of each state (HOOKS 1.5). An event that a state does not list changes nothing. */
const LIFE: Readonly<Record<State, { readonly [event in Event]?: State }>> = {
  starting: { started: 'running', loadFailedAgain: 'absent', closed: 'ended' },
  running: { died: 'starting', diedAgain: 'ended', closed: 'ended' },
  absent: { started: 'running', closed: 'ended' },
  ended: {},
}

/** While an engine is absent, it is requested again after this time in milliseconds. */
const ABSENT_MS = 5_000

/** An engine that dies more often than this, without a completed run in between, is given up. */
const MAX_DEATHS = 5

/** The life of a page's engine, or of the code that starts it, as the page sees it. */
export interface Life {
  readonly state: State
  /** It runs. */
  started(): void
  /** It could not be loaded: it is started again after a wait. */
  loadFailed(): void
  /** It ran, and died or was terminated: the next is started at once. */
  died(): void
  /** A run was completed. */
  completed(): void
  close(): void
}

interface Parts {
  readonly start: () => void
  /** Gives every open question this answer: it is absent, or has ended. */
  readonly fail: (answer: Outcome<Json>) => void
  readonly report: (report: ScriptReport) => void
}

export function createLife({ start, fail, report }: Parts): Life {
  let state: State = 'starting'
  let failures = 0
  let deaths = 0
  let restartTimer: ReturnType<typeof setTimeout> | undefined

  function after(event: Event): void {
    const next = LIFE[state][event]
    if (next === undefined) return
    state = next
    if (state === 'absent') report(UNAVAILABLE)
    if (event === 'diedAgain') report(GIVEN_UP)
    if (state === 'absent') fail(ABSENT)
    if (state === 'ended') fail(LOST)
  }
  return {
    get state() {
      return state
    },
    started() {
      failures = 0
      after('started')
    },
    loadFailed() {
      const wait = RETRY_MS[failures] ?? ABSENT_MS
      failures += 1
      if (failures > RETRY_MS.length) after('loadFailedAgain')
      if (state !== 'ended') restartTimer = setTimeout(start, wait)
    },
    died() {
      deaths += 1
      after(deaths > MAX_DEATHS ? 'diedAgain' : 'died')
      if (state === 'starting') start()
    },
    completed() {
      deaths = 0
    },
    close() {
      clearTimeout(restartTimer)
      after('closed')
    },
  }
}

const UNLOADED = failure('SCRIPT_UNAVAILABLE')
const UNAVAILABLE: ScriptReport = {
  hook: 'functions',
  key: '',
  code: 'SCRIPT_UNAVAILABLE',
  message: UNLOADED.message,
  stopped: false,
}
const GIVEN_UP: ScriptReport = {
  ...UNAVAILABLE,
  code: 'SCRIPT_STOPPED',
  message: 'the script engine does not start',
  stopped: true,
}

/** The answer to a question while the engine is absent. */
export const ABSENT: Outcome<Json> = { ok: false, error: UNLOADED }
/** The answer to a question whose run or engine was ended. */
export const LOST: Outcome<Json> = { ok: false, error: failure('SCRIPT_BUDGET') }
