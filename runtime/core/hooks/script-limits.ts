import { isObject, type Json } from '../json.ts'
import type { ScriptLimits } from '../ports.ts'

/** Budget of one hook run (HOOKS 1.1). */
export const DEFAULT_LIMITS: ScriptLimits = {
  timeMs: 100,
  memoryBytes: 16 << 20,
  stackBytes: 256 << 10,
  resultBytes: 64 << 10,
  hostCalls: 1000,
  cascadeDepth: 16,
}

/** The requested limits, each between 1 and its default: a page may lower a limit, never raise it. */
export function lowerLimits(requested: ScriptLimits | Json | undefined): ScriptLimits {
  const wanted = isObject(requested) ? requested : {}
  const lowered = Object.entries(DEFAULT_LIMITS).map(([name, limit]) => {
    const value = Object.hasOwn(wanted, name) ? wanted[name] : undefined
    return [name, typeof value === 'number' && value >= 1 ? Math.min(value, limit) : limit]
  })
  return Object.fromEntries(lowered) as unknown as ScriptLimits
}
