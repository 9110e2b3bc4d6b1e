import { failure } from '../errors.ts'
import type { HookCall, ScriptReport } from '../ports.ts'
import type { PendingAnswers } from './answers.ts'
import type { OpenQuestion } from './requests.ts'
import type { LimitHit } from './script-vm.ts'
import type { Strikes } from './strikes.ts'

/** Errors in scripts, reported to the page's author; a failed question is answered with the error. */
export interface Faults {
  /** A call that may still fail after it has ended. */
  remember(id: number, call: HookCall): void
  failed(call: HookCall, message: string, line?: number): void
  /** A promise of a call was rejected after it ended. @param running  the current call, used if the original one was forgotten */
  failedLater(id: number, reason: string, running: HookCall): void
  unanswered(question: OpenQuestion): void
  /** A call exceeded a limit. */
  strike(call: HookCall, limit: LimitHit): void
}

interface Parts {
  readonly tell: (report: ScriptReport) => void
  readonly answers: PendingAnswers
  readonly strikes: Strikes
}

/** Number of remembered calls whose promise may still be rejected. */
const MAX_REMEMBERED = 256

export function createFaults({ tell, answers, strikes }: Parts): Faults {
  const calls = new Map<number, HookCall>()
  const fail = (call: HookCall, id: number, reason: string): void => {
    tell({ ...named(call), code: 'SCRIPT_ERROR', message: reason, stopped: false })
    answers.put(id, { ok: false, error: failure('SCRIPT_ERROR', { reason }) })
  }
  return {
    remember(id, call) {
      calls.set(id, call)
      for (const old of calls.keys()) {
        if (calls.size <= MAX_REMEMBERED) break
        calls.delete(old)
      }
    },
    failed(call, message, line) {
      const at = line === undefined ? {} : { line }
      tell({ ...named(call), code: 'SCRIPT_ERROR', message, ...at, stopped: false })
    },
    failedLater: (id, reason, running) => fail(calls.get(id) ?? running, id, reason),
    unanswered: ({ id, call }) =>
      fail(call, id, 'gives no answer: its callback is not called, or its promise not resolved'),
    strike(call, { code, message }) {
      const stopped = strikes.add(call.hook, call.key)
      tell({ ...named(call), code, message, stopped })
      if (stopped) tell({ ...named(call), code: 'SCRIPT_STOPPED', message: STOPPED, stopped })
    },
  }
}

const STOPPED = 'stopped until the page is reloaded'

const named = ({ hook, key }: HookCall) => ({ hook, key })
