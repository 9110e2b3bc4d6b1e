import { failure } from '../core/errors.ts'
import type { AbortLike, Outcome } from '../core/ports.ts'

/** Wire codes of a time-out and of an abort (PROTOCOL 3). */
const TIMEOUT = 5
const ABORT = 600003
/** Time-out of requests, transfers and sockets that name none. */
export const GENERIC_TIMEOUT_MS = 60_000

interface Limits {
  readonly timeoutMs?: number
  readonly signal?: AbortLike
}

/** One abort signal for the caller's own abort and the time-out, and the failure that tells them apart. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Rejects with the abort. */
  readonly aborted: Promise<never>
  clear(): void
  reason(cause: unknown): Extract<Outcome<never>, { ok: false }>
}

/** @param networkCode  wire code of a fault that is neither time-out nor abort: 5 for requests, 602001 for transfers */
export function createDeadline({ timeoutMs, signal }: Limits, networkCode: number): Deadline {
  const controller = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    controller.abort()
  }, timeoutMs ?? GENERIC_TIMEOUT_MS)
  if (signal?.aborted) controller.abort()
  signal?.addEventListener('abort', () => controller.abort())
  const aborted = new Promise<never>((_, reject) => {
    const rejectAborted = () => reject(controller.signal.reason)
    if (controller.signal.aborted) rejectAborted()
    controller.signal.addEventListener('abort', rejectAborted)
  })
  aborted.catch(() => undefined) // not everybody waits for it
  const error = (cause: unknown) => {
    if (timedOut) return failure('TIMEOUT', undefined, { status: TIMEOUT, cause })
    if (signal?.aborted) return failure('ABORTED', undefined, { status: ABORT, cause })
    return failure('NETWORK', undefined, { status: networkCode, cause })
  }
  return {
    signal: controller.signal,
    aborted,
    clear: () => clearTimeout(timer),
    reason: (cause) => ({ ok: false, error: error(cause) }),
  }
}
