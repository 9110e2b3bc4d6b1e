import { failure } from '../core/errors.ts'
import { lowerLimits } from '../core/hooks/script-limits.ts'
import type { Json } from '../core/json.ts'
import type { HookCall, ScriptPage, ScriptReport, ScriptSession } from '../core/ports.ts'
import { createStrikes } from '../core/scripts/strikes.ts'
import { createJobs } from './jobs.ts'
import { STRIKES, WATCHDOG_GRACE_MS } from './limits.ts'
import {
  type Done,
  type Endpoint,
  type FromWorker,
  OPENING,
  type OpenEndpoint,
  type ToWorker,
} from './protocol.ts'
import { AGAIN_MS, UNAVAILABLE } from './unavailable.ts'
import { createWatchdog } from './watchdog.ts'

/** Number of consecutive deaths without a completed run after which no new worker is started. */
const MAX_DEATHS = 5

/**
 * The page's side of a script session (HOOKS 1.1): posts runs, passes their effects to the page, and terminates a worker whose run exceeds its
 * budget. A new worker starts from the page's state and runs the hooks that had not run yet.
 *
 * A worker that does not start at all, because its file cannot be loaded, is started again and again. After the third failure SCRIPT_UNAVAILABLE is
 * reported and, until one starts, every question fails; hooks stay queued.
 */
export function openSession(
  page: ScriptPage,
  openEndpoint: OpenEndpoint,
  graceMs = WATCHDOG_GRACE_MS,
): ScriptSession {
  const limits = lowerLimits(page.limits)
  const strikes = createStrikes(STRIKES)
  let deaths = 0
  let disposed = false
  let hasStarted = false
  let failedStarts = 0
  let again: ReturnType<typeof setTimeout> | undefined
  const isAway = (): boolean => failedStarts >= AGAIN_MS.length
  const jobs = createJobs(() => disposed, isAway)
  const dog = createWatchdog(() => replace('SCRIPT_BUDGET', `ran longer than ${limits.timeMs} ms`))
  const worker = createWorkerSlot(openEndpoint, {
    heard: receive,
    died: (reason) => (hasStarted ? replace('SCRIPT_MEMORY', reason) : startFailed()),
  })
  start()

  function start(): void {
    const { turn, writes, context } = page.snapshot()
    hasStarted = false
    jobs.open()
    worker.open({
      type: 'open',
      document: page.document,
      limits,
      start: { turn, writes, context },
      strikes: strikes.list(),
      reads: page.onReads !== undefined,
    })
  }

  function receive(message: FromWorker): void {
    hasStarted = true
    failedStarts = 0
    switch (message.type) {
      case 'began':
        if (message.job === OPENING) jobs.open()
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
  function ended(id: number, done: readonly Done[]): void {
    const call = jobs.get(id)?.call ?? UNKNOWN
    dog.unwatch()
    deaths = 0
    jobs.end(id)
    for (const one of done) if (!disposed) take(one, call)
    jobs.leftOpen(id)
  }
  function take(done: Done, call: HookCall): void {
    switch (done.type) {
      case 'batch':
        page.onBatch(done.batch)
        break
      case 'request':
        request(done.id, done.name, done.args, call)
        break
      case 'reads':
        page.onReads?.(done.reads)
        break
      case 'answer':
        jobs.answer(done.ask, done.outcome)
        break
    }
  }
  function request(id: number, name: string, args: readonly Json[], call: HookCall): void {
    const isSame = worker.mark()
    const end = jobs.beginRequest()
    const done = (ok: boolean, value: Json): void => {
      if (isSame()) {
        const job = jobs.newId()
        const message: ToWorker = { type: 'settle', job, request: id, ok, value }
        worker.send([jobs.enter([job, { kind: 'settle', call, message }])])
      }
      end()
    }
    page.onRequest(name, args).then(
      (value) => done(true, value),
      (error: unknown) => done(false, error instanceof Error ? error.message : String(error)),
    )
  }

  /** The worker hangs or died: the writes of the running hook are dropped, and it gets a strike. */
  function replace(code: 'SCRIPT_BUDGET' | 'SCRIPT_MEMORY', message: string): void {
    const id = dog.job
    const job = id === undefined ? undefined : jobs.get(id)
    if (id !== undefined && job) {
      const { hook, key } = job.call
      const stopped = strikes.add(hook, key)
      page.onReport({ hook, key, code, message, stopped })
      if (stopped) page.onReport({ ...STOPPED, hook, key })
      jobs.end(id)
      if (job.kind === 'ask') jobs.answer(id, { ok: false, error: failure('SCRIPT_BUDGET') })
    }
    restart()
  }
  /** The worker reported that it is damaged, after it had reported its runs. */
  function abandon(): void {
    if (dog.job !== undefined) {
      jobs.end(dog.job)
      jobs.answer(dog.job, { ok: false, error: failure('SCRIPT_BUDGET') })
    }
    restart()
  }
  function restart(): void {
    dog.unwatch()
    worker.end()
    deaths += 1
    const left = jobs.takeAgain()
    if (deaths > MAX_DEATHS) {
      page.onReport({ ...NO_ENGINE, hook: 'functions', key: '' })
      giveUp()
      return
    }
    startWith(left)
  }
  function startWith(left: ReturnType<typeof jobs.takeAgain>): void {
    start()
    if (left.length > 0) worker.send(left.map(jobs.enter))
  }
  function startFailed(): void {
    worker.end()
    const wait = AGAIN_MS[failedStarts] ?? AGAIN_MS.at(-1)
    failedStarts += 1
    if (failedStarts === AGAIN_MS.length) {
      page.onReport(UNAVAILABLE)
      jobs.failAll()
    }
    again = setTimeout(() => startWith(jobs.takeAgain()), wait)
  }
  function giveUp(): void {
    disposed = true
    jobs.failAll()
  }

  return {
    post(turn, writes, fire) {
      if (disposed) return
      const runs = fire.map((call) => jobs.enter([jobs.newId(), { kind: 'fire', call }]))
      worker.send([{ type: 'turn', turn, writes }, ...runs])
    },
    setContext(context) {
      if (!disposed) worker.send([{ type: 'context', context }])
    },
    ask: (call, leftOpen) =>
      new Promise((resolve) => {
        if (disposed || isAway()) return resolve({ ok: false, error: failure('SCRIPT_BUDGET') })
        worker.send([jobs.ask({ kind: 'ask', call, answer: resolve, leftOpen })])
      }),
    settled: jobs.settled,
    dispose() {
      if (disposed) return
      clearTimeout(again)
      dog.unwatch()
      giveUp()
      worker.send([{ type: 'close' }])
      worker.end()
      jobs.clear()
    },
  }
}

/** The current worker. Messages of a replaced or terminated one are ignored. */
function createWorkerSlot(
  openEndpoint: OpenEndpoint,
  { heard, died }: { readonly heard: (message: FromWorker) => void; readonly died: (reason: string) => void },
) {
  let current: Endpoint | undefined
  let generation = 0
  /** @returns a function that tells whether the current worker is still in use */
  const mark = (): (() => boolean) => {
    const mine = generation
    return () => mine === generation
  }
  return {
    mark,
    open(opening: ToWorker): void {
      generation += 1
      const isSame = mark()
      current = openEndpoint(
        (message) => {
          if (isSame()) heard(message)
        },
        (reason) => {
          if (isSame()) died(reason)
        },
      )
      current.send([opening])
    },
    send: (messages: readonly ToWorker[]): void => current?.send(messages),
    end(): void {
      generation += 1
      current?.terminate()
    },
  }
}

const STOPPED = {
  code: 'SCRIPT_STOPPED',
  message: 'stopped until the page is reloaded',
  stopped: true,
} as const
const NO_ENGINE = {
  code: 'SCRIPT_STOPPED',
  message: 'the script engine does not start',
  stopped: true,
} as const

const UNKNOWN: HookCall = { hook: '', key: '', args: [] }

const isViolation = (report: ScriptReport): boolean =>
  report.code !== 'SCRIPT_ERROR' && report.code !== 'SCRIPT_STOPPED'
