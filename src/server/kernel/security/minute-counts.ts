import { performance } from 'node:perf_hooks'
import { isWithin } from '../time/within.ts'

/** Counts by a key, on this server, within a minute that begins with the first. */
export interface MinuteCounts {
  /** Counts one more. @returns how many there are, and the seconds until there may be others */
  add(key: string): { readonly count: number; readonly seconds: number }
}

export const MINUTE_MS = 60_000
const KEYS_MOST = 10_000

/** @param now  milliseconds; by default of a clock that is never set */
export function createMinuteCounts(now: () => number = () => performance.now()): MinuteCounts {
  const minutes = new Map<string, { readonly began: number; count: number }>()
  const forget = (at: number): void => {
    for (const [key, { began }] of minutes) if (!isWithin(MINUTE_MS, began, at)) minutes.delete(key)
    // Who came first goes first.
    for (const key of minutes.keys()) {
      if (minutes.size < KEYS_MOST) return
      minutes.delete(key)
    }
  }
  return {
    add(key) {
      const at = now()
      let minute = minutes.get(key)
      if (minute === undefined || !isWithin(MINUTE_MS, minute.began, at)) {
        minutes.delete(key)
        if (minutes.size >= KEYS_MOST) forget(at)
        minute = { began: at, count: 0 }
        minutes.set(key, minute)
      }
      minute.count += 1
      return { count: minute.count, seconds: Math.max(1, Math.ceil((minute.began + MINUTE_MS - at) / 1000)) }
    },
  }
}
