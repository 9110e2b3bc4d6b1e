import { failure } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import type { Outcome, ScriptReport } from '../core/ports.ts'
import { RETRY_MS } from '../core/retry.ts'

type State = 'starting' | 'running' | 'absent' | 'ended'
type Event = 'came' | 'missedAgain' | 'lost' | 'lostAgain' | 'closed'

/** What each event makes of each state (HOOKS 1.5). An event that a state does not list changes nothing. */
const LIFE: Readonly<Record<State, { readonly [event in Event]?: State }>> = {
  starting: { came: 'running', missedAgain: 'absent', closed: 'ended' },
  running: { lost: 'starting', lostAgain: 'ended', closed: 'ended' },
  absent: { came: 'running', closed: 'ended' },
  ended: {},
}

/** While an engine is absent, it is requested again after this time in milliseconds. */
const ABSENT_MS = 5_000

/** An engine that is lost more often than this, without a completed run in between, is given up. */
const MAX_LOSSES = 5

/** The life of a page's engine, or of the code that starts it, as the page sees it. */
export interface Life {
  readonly state: State
  /** It runs. */
  came(): void
  /** It could not be loaded: it is started again after a wait. */
  missed(): void
  /** It ran and does no longer: the next is started at once. */
  lost(): void
  /** A run was completed. */
  worked(): void
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
  let misses = 0
  let losses = 0
  let again: ReturnType<typeof setTimeout> | undefined

  function after(event: Event): void {
    const next = LIFE[state][event]
    if (next === undefined) return
    state = next
    if (state === 'absent') report(UNAVAILABLE)
    if (event === 'lostAgain') report(GIVEN_UP)
    if (state === 'absent') fail(ABSENT)
    if (state === 'ended') fail(LOST)
  }
  return {
    get state() {
      return state
    },
    came() {
      misses = 0
      after('came')
    },
    missed() {
      const wait = RETRY_MS[misses] ?? ABSENT_MS
      misses += 1
      if (misses > RETRY_MS.length) after('missedAgain')
      if (state !== 'ended') again = setTimeout(start, wait)
    },
    lost() {
      losses += 1
      after(losses > MAX_LOSSES ? 'lostAgain' : 'lost')
      if (state === 'starting') start()
    },
    worked() {
      losses = 0
    },
    close() {
      clearTimeout(again)
      after('closed')
    },
  }
}

const UNAVAILABLE: ScriptReport = {
  hook: 'functions',
  key: '',
  code: 'SCRIPT_UNAVAILABLE',
  message: 'the code that runs scripts could not be loaded; it is requested again',
  stopped: false,
}
const GIVEN_UP: ScriptReport = {
  ...UNAVAILABLE,
  code: 'SCRIPT_STOPPED',
  message: 'the script engine does not start',
  stopped: true,
}

/** The answer to a question while the engine is absent. */
export const ABSENT: Outcome<Json> = { ok: false, error: failure('SCRIPT_UNAVAILABLE') }
/** The answer to a question whose run was ended, or whose engine. */
export const LOST: Outcome<Json> = { ok: false, error: failure('SCRIPT_BUDGET') }
