import { performance } from 'node:perf_hooks'
import { isWithin } from '../time/within.ts'

/** Counts by key, on this server, within a minute that starts with the first call. */
export interface MinuteCounts {
  /** Counts one more. @returns the count, and the seconds until the minute ends */
  add(key: string): { readonly count: number; readonly seconds: number }
}

export const MINUTE_MS = 60_000
const MAX_KEYS = 10_000

/** @param now  milliseconds; by default of a monotonic clock */
export function createMinuteCounts(now: () => number = () => performance.now()): MinuteCounts {
  const minutes = new Map<string, { readonly began: number; count: number }>()
  const forget = (at: number): void => {
    for (const [key, { began }] of minutes) if (!isWithin(MINUTE_MS, began, at)) minutes.delete(key)
    // The oldest entry is removed first.
    for (const key of minutes.keys()) {
      if (minutes.size < MAX_KEYS) return
      minutes.delete(key)
    }
  }
  return {
    add(key) {
      const at = now()
      let minute = minutes.get(key)
      if (minute === undefined || !isWithin(MINUTE_MS, minute.began, at)) {
        minutes.delete(key)
        if (minutes.size >= MAX_KEYS) forget(at)
        minute = { began: at, count: 0 }
        minutes.set(key, minute)
      }
      minute.count += 1
      return { count: minute.count, seconds: Math.max(1, Math.ceil((minute.began + MINUTE_MS - at) / 1000)) }
    },
  }
}
