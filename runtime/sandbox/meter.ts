import type { ScriptLimits } from '../core/ports.ts'
import type { LimitHit } from '../core/scripts/script-vm.ts'

/** The remaining budget of a run. The first limit that is hit applies until the next {@link Meter.begin}. */
export interface Meter {
  begin(): void
  /** Stops counting, for our own guest code before the first run. */
  pause(): void
  /** Extends the run by time that the script did not use: compiling its code for the first time. */
  allow(ms: number): void
  /** True once the run must end; the engine checks it between bytecodes. */
  over(): boolean
  limit(): LimitHit | null
  stop(limit: LimitHit): void
  /** Counts one host call; false if it exceeds the limit. */
  countCall(): boolean
  /** Counts text that leaves the guest, in UTF-8 bytes; false if it is too long. */
  countText(text: string): boolean
}

/** Total length of the texts of one run, as a multiple of the maximum of one text. */
const TEXTS_PER_RUN = 16

/**
 * The most that counts of the time between two checks, in milliseconds. The engine checks many times a millisecond, so a longer time is one in which
 * the machine ran something else, or one of native code, which the watchdog ends.
 */
const STEP_MS = 20

const utf8 = new TextEncoder()

export function createMeter(limits: ScriptLimits, elapsed: () => number): Meter {
  /** Milliseconds that the run has used, and when that was counted. */
  let used = 0
  let last = 0
  let calls = 0
  let texts = 0
  let limit: LimitHit | null = null
  const stop = (hit: LimitHit): void => {
    limit ??= hit
  }
  return {
    begin() {
      used = 0
      last = elapsed()
      calls = 0
      texts = 0
      limit = null
    },
    pause() {
      used = Number.NEGATIVE_INFINITY
    },
    allow(ms) {
      last += ms
    },
    over() {
      const now = elapsed()
      used += Math.min(now - last, STEP_MS)
      last = now
      if (limit === null && used > limits.timeMs) {
        stop({ code: 'SCRIPT_BUDGET', message: `ran longer than ${limits.timeMs} ms`, fatal: false })
      }
      return limit !== null
    },
    limit: () => limit,
    stop,
    countCall() {
      calls += 1
      if (calls <= limits.hostCalls) return true
      stop({ code: 'SCRIPT_CALLS', message: `more than ${limits.hostCalls} calls of the page`, fatal: false })
      return false
    },
    countText(text) {
      const length = text.length * 3 <= limits.resultBytes ? text.length : utf8.encode(text).length
      texts += length
      if (length <= limits.resultBytes && texts <= limits.resultBytes * TEXTS_PER_RUN) return true
      stop({
        code: 'SCRIPT_RESULT',
        message: `handed over more than ${limits.resultBytes} bytes`,
        fatal: false,
      })
      return false
    },
  }
}
