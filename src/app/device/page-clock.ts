import { DEFAULT_OFFSET_MINUTES } from '../../../runtime/core/dates/format.ts'
import type { Clock } from '../../../runtime/core/ports.ts'

const MINUTE_MS = 60_000
/** An answer is older than it says by seconds: a smaller difference is no fault of the clock. */
const WRONG_MS = 5 * MINUTE_MS

/**
 * The clock of pages: the device's, put right by the last answer of the server. A clock that shows the right time because its zone is wrong, too,
 * stays as it is: days are counted by what it shows.
 * @param zone  minutes that the device's time is ahead of UTC
 */
export function createPageClock(clock: Clock, zone: () => number) {
  let ahead = 0
  return {
    clock: { ...clock, now: () => clock.now() - ahead },
    /** @param date  the answer's header */
    hear(date: string | undefined): void {
      const by = clock.now() - Date.parse(date ?? '')
      const shown = by + (zone() - DEFAULT_OFFSET_MINUTES) * MINUTE_MS
      ahead = Math.min(Math.abs(by), Math.abs(shown)) > WRONG_MS ? by : 0
    },
  }
}
