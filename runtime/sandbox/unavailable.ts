import type { ScriptReport } from '../core/ports.ts'

/** Waits in milliseconds before code or a worker that could not be loaded is requested again: the last one is repeated. */
export const AGAIN_MS = [300, 1_000, 5_000] as const

/** Reported once until the scripts of the page run; meanwhile hooks are queued and questions fail. */
export const UNAVAILABLE: ScriptReport = {
  hook: 'functions',
  key: '',
  code: 'SCRIPT_UNAVAILABLE',
  message: 'the code that runs scripts could not be loaded; it is requested again',
  stopped: false,
}
