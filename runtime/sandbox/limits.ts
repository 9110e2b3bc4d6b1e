import type { ScriptLimits } from '../core/ports.ts'

/** Budget of one run (DESIGN 5). */
export const DEFAULT_LIMITS: ScriptLimits = {
  timeMs: 100,
  memoryBytes: 16 << 20,
  stackBytes: 256 << 10,
  resultBytes: 64 << 10,
  hostCalls: 1000,
  cascadeDepth: 16,
}

/**
 * Beyond `timeMs` a run may take this much longer before the page ends its worker: only native code that cannot be interrupted does.
 * With a page and a worker that get to run, every run ends within its budget + 100 ms.
 */
export const WATCHDOG_GRACE_MS = 60

/** Budget violations after which a hook stays silent until the page is reloaded. */
export const STRIKES = 3

/** The limits asked for, each between 1 and its default: a page may lower a limit, never raise it. */
export function lowerLimits(asked: Partial<ScriptLimits>): ScriptLimits {
  const lowered = Object.entries(DEFAULT_LIMITS).map(([name, limit]) => {
    const wanted = asked[name as keyof ScriptLimits]
    return [name, typeof wanted === 'number' && wanted >= 1 ? Math.min(wanted, limit) : limit]
  })
  return Object.fromEntries(lowered) as unknown as ScriptLimits
}
