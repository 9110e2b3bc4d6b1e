import type { Json } from '../core/json.ts'
import type { HookCall, Outcome } from '../core/ports.ts'
import { type Life, LOST } from './life.ts'
import { OPENING, type ToWorker } from './protocol.ts'

/** A call that asks for the result of a hook. */
interface Question {
  readonly kind: 'ask'
  readonly call: HookCall
  readonly answer: (outcome: Outcome<Json>) => void
  readonly leftOpen: (() => void) | undefined
}

/** A run that was posted and has not ended. If the worker dies, wake-ups of promises are dropped; hooks and questions are posted again. */
type Job =
  | { readonly kind: 'open'; readonly call: HookCall }
  | { readonly kind: 'fire'; readonly call: HookCall }
  | Question
  | { readonly kind: 'settle'; readonly call: HookCall; readonly message: ToWorker }

/** A job with its number. */
type Posted = readonly [id: number, job: Exclude<Job, { kind: 'open' }>]

/** The running jobs of a worker, and the callers that wait for an answer or for the end of all jobs. */
export interface Jobs {
  newId(): number
  /** The page's functions run, before anything else. */
  open(): void
  get(id: number): Job | undefined
  /** Registers a job. @returns the message that starts it */
  enter(posted: Posted): ToWorker
  /** Registers a new question. @returns the message that asks it */
  ask(question: Question): ToWorker
  end(id: number): void
  /** A run has ended, but its question may still be open. */
  leftOpen(id: number): void
  answer(ask: number, outcome: Outcome<Json>): void
  /** The worker is gone. @returns the jobs to post to the next one; every other question fails */
  takeAgain(): readonly Posted[]
  /** Every open question fails: no worker is available, or none is started any more. */
  failAll(outcome: Outcome<Json>): void
  /** Registers a request of a script that the page is processing, until the returned function is called. */
  beginRequest(): () => void
  /** Resolves when no job is running. */
  settled(): Promise<void>
}

/** @param life  of the worker: nobody waits for posted runs while it is absent, and nothing processes requests once it has ended */
export function createJobs(life: Pick<Life, 'state'>): Jobs {
  const jobs = new Map<number, Job>()
  const questions = new Map<number, Question>()
  const idle: (() => void)[] = []
  let next = 1
  let outstanding = 0 // requests of scripts that the page is processing

  function enter([id, job]: Posted): ToWorker {
    jobs.set(id, job)
    return job.kind === 'settle' ? job.message : { type: job.kind, job: id, call: job.call }
  }
  function settle(): void {
    const isBusy = jobs.size > 0 || questions.size > 0 || (outstanding > 0 && life.state !== 'ended')
    if (isBusy && life.state !== 'absent') return
    for (const resolve of idle.splice(0)) resolve()
  }
  function answer(ask: number, outcome: Outcome<Json>): void {
    const question = questions.get(ask)
    if (!question) return
    questions.delete(ask)
    question.answer(outcome)
    settle()
  }

  return {
    newId: () => next++,
    open: () => void jobs.set(OPENING, FUNCTIONS),
    get: (id) => jobs.get(id),
    enter,
    ask(question) {
      const id = next++
      questions.set(id, question)
      return enter([id, question])
    },
    end: (id) => void jobs.delete(id),
    leftOpen(id) {
      questions.get(id)?.leftOpen?.()
      settle()
    },
    answer,
    takeAgain() {
      const repeatable = [...jobs]
        .filter(isHook)
        .filter(([id, { kind }]) => kind === 'fire' || questions.has(id))
      const ids = new Set(repeatable.map(([id]) => id))
      for (const id of [...jobs.keys()]) if (!ids.has(id)) jobs.delete(id)
      for (const id of [...questions.keys()]) if (!ids.has(id)) answer(id, LOST)
      return repeatable
    },
    failAll(outcome) {
      if (life.state === 'ended') jobs.clear()
      for (const id of [...questions.keys()]) answer(id, outcome)
      settle()
    },
    beginRequest() {
      outstanding += 1
      return () => {
        outstanding -= 1
        settle()
      }
    },
    settled: () =>
      new Promise((resolve) => {
        idle.push(resolve)
        settle()
      }),
  }
}

const FUNCTIONS: Job = { kind: 'open', call: { hook: 'functions', key: '', args: [] } }

const isHook = (entry: [number, Job]): entry is [number, Extract<Job, { kind: 'fire' | 'ask' }>] =>
  entry[1].kind === 'fire' || entry[1].kind === 'ask'
