import { lowerLimits } from '../core/hooks/script-limits.ts'
import type { Json } from '../core/json.ts'
import type { HookCall, ScriptPage, ScriptReport, ScriptSession } from '../core/ports.ts'
import { createStrikes } from '../core/scripts/strikes.ts'
import { createJobs } from './jobs.ts'
import { ABSENT, createLife, LOST } from './life.ts'
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

/**
 * The page's side of a script session (HOOKS 1.1, 1.5): posts runs, passes their effects to the page, and terminates a worker whose run exceeds its
 * budget. A new worker starts from the page's state and runs the hooks that had not run yet.
 */
export function openSession(
  page: ScriptPage,
  openEndpoint: OpenEndpoint,
  graceMs = WATCHDOG_GRACE_MS,
): ScriptSession {
  const limits = lowerLimits(page.limits)
  const strikes = createStrikes(STRIKES)
  const life = createLife({ start, fail: (answer) => jobs.failAll(answer), report: page.onReport })
  const jobs = createJobs(life)
  const dog = createWatchdog(() => replace('SCRIPT_BUDGET', `ran longer than ${limits.timeMs} ms`))
  const worker = createWorkerSlot(openEndpoint, {
    onMessage: receive,
    died: (reason) => (life.state === 'running' ? replace('SCRIPT_MEMORY', reason) : loadFailed()),
  })
  start()

  function start(): void {
    const left = jobs.takeAgain()
    const { turn, writes, context } = page.snapshot()
    jobs.open()
    worker.open({
      type: 'open',
      document: page.document,
      limits,
      start: { turn, writes, context },
      strikes: strikes.list(),
      reads: page.onReads !== undefined,
    })
    if (left.length > 0) worker.send(left.map(jobs.enter))
  }
  function loadFailed(): void {
    worker.end()
    life.loadFailed()
  }
  /** The run in progress is given up with its worker; the next one runs what had not run yet. */
  function restart(): void {
    if (dog.job !== undefined) {
      jobs.end(dog.job)
      jobs.answer(dog.job, LOST)
    }
    dog.unwatch()
    worker.end()
    life.died()
  }

  function receive(message: FromWorker): void {
    life.started()
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
      case 'broken': // after it had reported its runs
        restart()
        break
    }
  }
  function ended(id: number, done: readonly Done[]): void {
    const call = jobs.get(id)?.call ?? UNKNOWN
    dog.unwatch()
    life.completed()
    jobs.end(id)
    for (const message of done) if (life.state !== 'ended') handle(message, call)
    jobs.leftOpen(id)
  }
  function handle(done: Done, call: HookCall): void {
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
    const job = dog.job === undefined ? undefined : jobs.get(dog.job)
    if (job) {
      const { hook, key } = job.call
      const stopped = strikes.add(hook, key)
      page.onReport({ hook, key, code, message, stopped })
      if (stopped) page.onReport({ ...STOPPED, hook, key })
    }
    restart()
  }

  return {
    post(turn, writes, fire) {
      if (life.state === 'ended') return
      const runs = fire.map((call) => jobs.enter([jobs.newId(), { kind: 'fire', call }]))
      worker.send([{ type: 'turn', turn, writes }, ...runs])
    },
    setContext(context) {
      if (life.state !== 'ended') worker.send([{ type: 'context', context }])
    },
    ask: (call, leftOpen) =>
      new Promise((resolve) => {
        if (life.state === 'absent') return resolve(ABSENT)
        if (life.state === 'ended') return resolve(LOST)
        worker.send([jobs.ask({ kind: 'ask', call, answer: resolve, leftOpen })])
      }),
    settled: jobs.settled,
    dispose() {
      if (life.state === 'ended') return
      life.close()
      dog.unwatch()
      worker.send([{ type: 'close' }])
      worker.end()
    },
  }
}

/** The current worker. Messages of a replaced or terminated one are ignored. */
function createWorkerSlot(
  openEndpoint: OpenEndpoint,
  {
    onMessage,
    died,
  }: { readonly onMessage: (message: FromWorker) => void; readonly died: (reason: string) => void },
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
          if (isSame()) onMessage(message)
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

const UNKNOWN: HookCall = { hook: '', key: '', args: [] }

const isViolation = (report: ScriptReport): boolean =>
  report.code !== 'SCRIPT_ERROR' && report.code !== 'SCRIPT_STOPPED'
