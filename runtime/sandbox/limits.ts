/**
 * Beyond `timeMs` a run may take this much longer before the page ends its worker: only native code that cannot be interrupted does.
 * With a page and a worker that get to run, every run ends within its budget + 100 ms.
 */
export const WATCHDOG_GRACE_MS = 60

/** Budget violations after which a hook stays silent until the page is reloaded. */
export const STRIKES = 3
