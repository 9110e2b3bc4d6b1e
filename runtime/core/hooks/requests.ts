import type { HookCall } from '../ports.ts'

/** What a script asked the page for and still awaits. */
export interface OpenRequest {
  readonly name: string
  /** The call in which it was made. */
  readonly origin: HookCall
  /** The question of the page that was being answered in that run. */
  readonly question: number | undefined
}

/** The open requests of one engine, by number. */
export interface Requests {
  /**
   * Notes one. A check that starts checks is counted until no question is open, for it may start itself again without end.
   * @throws when there were too many
   */
  add(id: number, request: OpenRequest): void
  take(id: number): OpenRequest | undefined
  /** Those of the open questions that nothing can answer any more; see {@link unanswerable}. */
  unanswerable(questions: readonly number[]): readonly number[]
  clear(): void
}

/** Requests that the page answers by asking the scripts' own checks. */
const CHECKS: ReadonlySet<string> = new Set(['validate', 'validateField'])

/** Checks that checks may start before all of them have answered. */
const CHECKS_BY_CHECKS = 100

export function createRequests(): Requests {
  const open = new Map<number, OpenRequest>()
  let started = 0
  return {
    add(id, request) {
      if (CHECKS.has(request.name) && request.question !== undefined) started += 1
      if (started > CHECKS_BY_CHECKS)
        throw new Error(`checks start each other without end: more than ${CHECKS_BY_CHECKS} of them`)
      open.set(id, request)
    },
    take(id) {
      const request = open.get(id)
      open.delete(id)
      return request
    },
    unanswerable(questions) {
      if (questions.length === 0) started = 0
      return unanswerable(questions, [...open.values()])
    },
    clear: () => open.clear(),
  }
}

/**
 * Open questions whose answer cannot come by itself: nothing is under way but checks, and those wait for just these questions. One
 * that has started a check itself is answered after it.
 */
function unanswerable(questions: readonly number[], open: readonly OpenRequest[]): readonly number[] {
  if (!open.every(({ name }) => CHECKS.has(name))) return []
  return questions.filter((id) => open.every(({ question }) => question !== id))
}
