import { lowerLimits } from '../core/hooks/script-limits.ts'
import type { JsonObject } from '../core/json.ts'
import type { Page } from '../core/page/page.ts'
import { createReplica, type Replica } from '../core/scripts/replica.ts'
import { createStrikes } from '../core/scripts/strikes.ts'
import { STRIKES } from './limits.ts'
import { type Done, type FromWorker, OPENING, type ToWorker } from './protocol.ts'
import type { OpenVms } from './vms.ts'

export interface HostParts {
  readonly openVms: OpenVms
  readonly parse: (document: JsonObject) => Page
  readonly send: (message: FromWorker) => void
}

/**
 * The worker's side of a script session: receives and sends messages, one run at a time. Messages that arrive before the engine is loaded are queued.
 *
 * @returns the function that receives the page's messages
 */
export function createHost({ openVms, parse, send }: HostParts): (messages: readonly ToWorker[]) => void {
  const waiting: ToWorker[] = []
  let replica: Replica | undefined
  let done: Done[] = []

  async function open(message: Extract<ToWorker, { type: 'open' }>): Promise<void> {
    const limits = lowerLimits(message.limits)
    const createVm = await openVms(limits)
    replica = createReplica({
      page: parse(message.document),
      limits,
      start: message.start,
      strikes: createStrikes(STRIKES, message.strikes),
      now: () => Date.now(),
      newRowId: () => `id${crypto.randomUUID().replaceAll('-', '')}s`,
      createVm,
      out: {
        batch: (batch) => done.push({ type: 'batch', batch }),
        report: (report) => send({ type: 'report', report }),
        answer: (ask, outcome) => done.push({ type: 'answer', ask, outcome }),
        request: (id, name, args) => done.push({ type: 'request', id, name, args }),
        ...(message.reads === true ? { reads: (reads) => void done.push({ type: 'reads', reads }) } : {}),
        broken: () => send({ type: 'broken' }),
      },
    })
    startEngine(replica)
    send({ type: 'ended', job: OPENING, done: [] })
    for (const queued of waiting.splice(0)) handle(replica, queued)
  }
  /** A watched run: the page's watchdog counts the time between the two messages. */
  function frame(job: number, run: () => void): void {
    send({ type: 'began', job })
    run()
    send({ type: 'ended', job, done })
    done = []
  }
  /**
   * Creates the engine unwatched, since that only runs our own code, then runs the page's `functions` watched. If a limit ends them, they get a
   * strike.
   */
  function startEngine(of: Replica): void {
    while (of.needsEngine()) {
      of.makeEngine()
      if (of.hasFunctions()) frame(OPENING, of.loadFunctions)
      of.closeEngine()
    }
  }
  function run(of: Replica, job: number, task: () => void): void {
    frame(job, task)
    startEngine(of)
  }
  function handle(to: Replica, message: ToWorker): void {
    switch (message.type) {
      case 'turn':
        to.turn(message.turn, message.writes)
        break
      case 'context':
        to.setContext(message.context)
        break
      case 'fire':
        run(to, message.job, () => to.fire(message.call))
        break
      case 'ask':
        run(to, message.job, () => to.ask(message.job, message.call))
        break
      case 'settle':
        run(to, message.job, () => to.settle(message.request, message))
        break
      case 'close':
        to.dispose()
        break
      case 'open':
        break
    }
  }
  return (messages) => {
    for (const message of messages) {
      // If the engine fails to start, the page must not wait for answers.
      if (message.type === 'open') open(message).catch(() => send({ type: 'broken' }))
      else if (replica) handle(replica, message)
      else waiting.push(message)
    }
  }
}
