import { failure } from '../core/errors.ts'
import { lowerLimits } from '../core/hooks/script-limits.ts'
import type { Json } from '../core/json.ts'
import type { HookCall, Outcome, ScriptPage, ScriptReport, ScriptSession } from '../core/ports.ts'
import { createStrikes } from '../core/scripts/strikes.ts'
import { STRIKES, WATCHDOG_GRACE_MS } from './limits.ts'
import {
  type Done,
  type Endpoint,
  type FromWorker,
  OPENING,
  type OpenEndpoint,
  type ToWorker,
} from './protocol.ts'
import { createWatchdog } from './watchdog.ts'

/** A run that was posted and has not ended. Promise wake-ups die with their worker, hooks and questions are posted again. */
type Job =
  | { readonly kind: 'open'; readonly call: HookCall }
  | { readonly kind: 'fire'; readonly call: HookCall }
  | {
      readonly kind: 'ask'
      readonly call: HookCall
      readonly answer: (outcome: Outcome<Json>) => void
      readonly leftOpen: (() => void) | undefined
    }
  | { readonly kind: 'settle'; readonly call: HookCall; readonly message: ToWorker }

type Posted = readonly [id: number, job: Exclude<Job, { kind: 'open' }>]

/** Deaths in a row, without one run ended between them, after which no new worker is started. */
const HOPELESS = 5

/**
 * The page's side of a script session (HOOKS 1.1): posts turns, hands batches to the page, and ends a worker whose run does not end
 * with its budget. A fresh worker starts from the page's state; hooks that had not run yet run there.
 */
export function openSession(
  page: ScriptPage,
  openEndpoint: OpenEndpoint,
  graceMs = WATCHDOG_GRACE_MS,
): ScriptSession {
  const limits = lowerLimits(page.limits)
  const strikes = createStrikes(STRIKES)
  const jobs = new Map<number, Job>()
  const questions = new Map<number, Extract<Job, { kind: 'ask' }>>()
  const idle: (() => void)[] = []
  let nextJob = 1
  let outstanding = 0 // requests of scripts that the page is still working on
  let deaths = 0
  let disposed = false
  const dog = createWatchdog(() => replace('SCRIPT_BUDGET', `ran longer than ${limits.timeMs} ms`))
  let generation = 0
  let endpoint = start()

  function start(): Endpoint {
    generation += 1
    const mine = generation
    const opened = openEndpoint(
      (message) => {
        if (mine === generation && !disposed) receive(message)
      },
      (reason) => {
        if (mine === generation && !disposed) replace('SCRIPT_MEMORY', reason)
      },
    )
    const { turn, writes, context } = page.snapshot()
    jobs.set(OPENING, FUNCTIONS)
    opened.send([
      {
        type: 'open',
        document: page.document,
        limits,
        start: { turn, writes, context },
        strikes: strikes.list(),
      },
    ])
    return opened
  }

  function receive(message: FromWorker): void {
    switch (message.type) {
      case 'began':
        if (message.job === OPENING) jobs.set(OPENING, FUNCTIONS)
        dog.watch(message.job, limits.timeMs + graceMs)
        break
      case 'ended':
        ended(message.job, message.done)
        break
      case 'report':
        if (isViolation(message.report)) strikes.add(message.report.hook, message.report.key)
        page.onReport(message.report)
        break
      case 'broken':
        abandon()
        break
    }
  }
  function watched(): Job | undefined {
    return dog.job === undefined ? undefined : jobs.get(dog.job)
  }
  function ended(id: number, done: readonly Done[]): void {
    const call = jobs.get(id)?.call ?? UNKNOWN
    dog.unwatch()
    deaths = 0
    jobs.delete(id)
    for (const one of done) if (!disposed) take(one, call)
    questions.get(id)?.leftOpen?.()
    settle()
  }
  function take(done: Done, call: HookCall): void {
    switch (done.type) {
      case 'batch':
        page.onBatch(done.batch)
        break
      case 'request':
        request(done.id, done.name, done.args, call)
        break
      case 'answer':
        answer(done.ask, done.outcome)
        break
    }
  }
  function answer(ask: number, outcome: Outcome<Json>): void {
    const question = questions.get(ask)
    questions.delete(ask)
    question?.answer(outcome)
    settle()
  }
  function request(id: number, name: string, args: readonly Json[], call: HookCall): void {
    const mine = generation
    const done = (ok: boolean, value: Json): void => {
      outstanding -= 1
      if (mine === generation && !disposed) {
        const job = nextJob++
        post([job, { kind: 'settle', call, message: { type: 'settle', job, request: id, ok, value } }])
      }
      settle()
    }
    outstanding += 1
    page.onRequest(name, args).then(
      (value) => done(true, value),
      (error: unknown) => done(false, error instanceof Error ? error.message : String(error)),
    )
  }

  /** The worker hangs or died: what the running hook wrote is dropped, and it has a strike. */
  function replace(code: 'SCRIPT_BUDGET' | 'SCRIPT_MEMORY', message: string): void {
    const id = dog.job
    const job = watched()
    if (id !== undefined && job) {
      const { hook, key } = job.call
      const stopped = strikes.add(hook, key)
      page.onReport({ hook, key, code, message, stopped })
      if (stopped) {
        page.onReport({
          hook,
          key,
          code: 'SCRIPT_STOPPED',
          message: 'stopped until the page is reloaded',
          stopped,
        })
      }
      jobs.delete(id)
      if (job.kind === 'ask') answer(id, { ok: false, error: failure('SCRIPT_BUDGET') })
    }
    restart()
  }
  /** The worker said itself that it is damaged; it has reported what it ran. */
  function abandon(): void {
    if (dog.job !== undefined) {
      jobs.delete(dog.job)
      answer(dog.job, { ok: false, error: failure('SCRIPT_BUDGET') })
    }
    restart()
  }
  function restart(): void {
    dog.unwatch()
    endpoint.terminate()
    deaths += 1
    const again = [...jobs].filter(isHook)
    jobs.clear()
    const kept = new Set(again.map(([id]) => id))
    for (const id of [...questions.keys()]) {
      if (!kept.has(id)) answer(id, { ok: false, error: failure('SCRIPT_BUDGET') })
    }
    if (deaths > HOPELESS) {
      page.onReport({ ...NO_ENGINE, hook: 'functions', key: '' })
      giveUp()
      return
    }
    endpoint = start()
    post(...again)
    settle()
  }
  function giveUp(): void {
    disposed = true
    for (const id of [...questions.keys()]) answer(id, { ok: false, error: failure('SCRIPT_BUDGET') })
    settle()
  }
  function post(...posted: readonly Posted[]): void {
    if (posted.length > 0) endpoint.send(posted.map(enter))
  }
  /** Notes a job; answers the message that starts it. */
  function enter([id, job]: Posted): ToWorker {
    jobs.set(id, job)
    return job.kind === 'settle' ? job.message : { type: job.kind, job: id, call: job.call }
  }
  function settle(): void {
    if (jobs.size > 0 || questions.size > 0 || (outstanding > 0 && !disposed)) return
    for (const resolve of idle.splice(0)) resolve()
  }

  return {
    post(turn, writes, fire) {
      if (disposed) return
      const runs = fire.map((call) => enter([nextJob++, { kind: 'fire', call }]))
      endpoint.send([{ type: 'turn', turn, writes }, ...runs])
    },
    setContext(context) {
      if (!disposed) endpoint.send([{ type: 'context', context }])
    },
    ask: (call, leftOpen) =>
      new Promise((resolve) => {
        if (disposed) return resolve({ ok: false, error: failure('SCRIPT_BUDGET') })
        const id = nextJob++
        const job: Job = { kind: 'ask', call, answer: resolve, leftOpen }
        questions.set(id, job)
        post([id, job])
      }),
    settled: () =>
      new Promise((resolve) => {
        idle.push(resolve)
        settle()
      }),
    dispose() {
      if (disposed) return
      dog.unwatch()
      giveUp()
      endpoint.send([{ type: 'close' }])
      endpoint.terminate()
      jobs.clear()
      settle()
    },
  }
}

const isHook = (entry: [number, Job]): entry is [number, Extract<Job, { kind: 'fire' | 'ask' }>] =>
  entry[1].kind === 'fire' || entry[1].kind === 'ask'

const FUNCTIONS: Job = { kind: 'open', call: { hook: 'functions', key: '', args: [] } }

const NO_ENGINE = {
  code: 'SCRIPT_STOPPED',
  message: 'the script engine does not start',
  stopped: true,
} as const

const UNKNOWN: HookCall = { hook: '', key: '', args: [] }

const isViolation = (report: ScriptReport): boolean =>
  report.code !== 'SCRIPT_ERROR' && report.code !== 'SCRIPT_STOPPED'
