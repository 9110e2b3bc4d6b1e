/**
 * Time beyond `timeMs` after which the page terminates the worker of a run; only uninterruptible native code takes that long. If page and worker get
 * CPU time, every run ends within its budget + 100 ms.
 */
export const WATCHDOG_GRACE_MS = 60

/** Number of budget violations after which a hook is disabled until the page is reloaded. */
export const STRIKES = 3
