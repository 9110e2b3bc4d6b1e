/** State of a pull-down refresh; `aborting` and `restoring` are the way back, after too short a pull and after a refresh. */
export type PullPhase = 'idle' | 'pulling' | 'reached' | 'aborting' | 'refreshing' | 'restoring'

export interface Pull {
  readonly phase: PullPhase
  /** Distance in px that the finger has moved down, at most {@link PULL_RANGE}. */
  readonly distance: number
}

export type PullEvent =
  /** Distance in px that the finger has moved down while the page stands at its top. */
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'release' }
  /** The refresh has ended. */
  | { readonly kind: 'stop' }
  /** The way back has ended. */
  | { readonly kind: 'rest' }

/** Distance in px after which releasing refreshes. */
export const PULL_RANGE = 150
/** Maximum duration of the way back, in ms. */
export const PULL_REST_MS = 350
export const PULL_IDLE: Pull = { phase: 'idle', distance: 0 }

/** The next state; events that do not fit the current one are ignored: a stop acts only while refreshing, a finger not then. */
export function nextPull(pull: Pull, event: PullEvent): Pull {
  const { phase } = pull
  switch (event.kind) {
    case 'move':
      if (phase !== 'idle' && phase !== 'pulling' && phase !== 'reached') return pull
      if (event.by <= 0) return PULL_IDLE
      return event.by >= PULL_RANGE
        ? { phase: 'reached', distance: PULL_RANGE }
        : { phase: 'pulling', distance: event.by }
    case 'release':
      if (phase === 'reached') return { phase: 'refreshing', distance: PULL_RANGE }
      return phase === 'pulling' ? { phase: 'aborting', distance: 0 } : pull
    case 'stop':
      return phase === 'refreshing' ? { phase: 'restoring', distance: 0 } : pull
    case 'rest':
      return phase === 'aborting' || phase === 'restoring' ? PULL_IDLE : pull
  }
}
