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

const utf8 = new TextEncoder()

export function createMeter(limits: ScriptLimits, elapsed: () => number): Meter {
  let deadline = 0
  let calls = 0
  let texts = 0
  let limit: LimitHit | null = null
  const stop = (hit: LimitHit): void => {
    limit ??= hit
  }
  return {
    begin() {
      deadline = elapsed() + limits.timeMs
      calls = 0
      texts = 0
      limit = null
    },
    pause() {
      deadline = Number.POSITIVE_INFINITY
    },
    allow(ms) {
      deadline += ms
    },
    over() {
      if (limit === null && elapsed() > deadline) {
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
