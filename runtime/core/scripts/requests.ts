import { HOOKS } from '../hooks/hook-names.ts'
import type { Json } from '../json.ts'
import type { HookCall } from '../ports.ts'

/** A request of a script to the page that is still pending. */
interface OpenRequest {
  readonly name: string
  /** The target of the request: its first argument. */
  readonly about: Json
  /** The call in which it was made. */
  readonly origin: HookCall
  /** The question of the page that was being answered in that run. */
  readonly question: number | undefined
}

/** A question of the page that has no answer yet. */
export interface OpenQuestion {
  readonly id: number
  readonly call: HookCall
}

/** The open requests of one engine, by number. */
export interface OpenRequests {
  /**
   * Adds one. A check that starts checks is counted until no question is open, because it may start itself endlessly.
   *
   * @throws if there were too many
   */
  add(id: number, request: OpenRequest): void
  take(id: number): OpenRequest | undefined
  /** Open questions that nothing can answer any more; see {@link unanswerable}. */
  unanswerable(questions: readonly OpenQuestion[]): readonly OpenQuestion[]
  clear(): void
}

/** Requests that the page answers by running the scripts' own checks. */
const CHECKS: ReadonlySet<string> = new Set(['validate', 'validateField'])

/** Maximum checks that checks may start before all of them have answered. */
const CHECKS_BY_CHECKS = 100

export function createOpenRequests(): OpenRequests {
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
 * Open questions that cannot be answered: everything pending waits for just these questions. One that has made a request itself is answered after it.
 */
function unanswerable(
  questions: readonly OpenQuestion[],
  open: readonly OpenRequest[],
): readonly OpenQuestion[] {
  return questions.filter(({ id, call }) =>
    open.every((request) => request.question !== id && waitsFor(request, call)),
  )
}

/** True for a request that the page answers after running that code: a check after the checks, a data source after its own handlers. */
function waitsFor({ name, about }: OpenRequest, { hook, key }: HookCall): boolean {
  return (
    CHECKS.has(name) || (name === 'executeDataSource' && HOOKS[hook]?.place === 'dataSource' && about === key)
  )
}
