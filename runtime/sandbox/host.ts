import { REFUSED } from '../core/hooks/script-catalogue.ts'
import { lowerLimits } from '../core/hooks/script-limits.ts'
import type { JsonObject } from '../core/json.ts'
import type { Page } from '../core/page/page.ts'
import { createReplica, type Replica } from '../core/scripts/replica.ts'
import { POWERS } from '../core/scripts/script-api.ts'
import { createStrikes } from '../core/scripts/strikes.ts'
import { STRIKES } from './limits.ts'
import { type Done, type FromWorker, OPENING, type ToWorker } from './protocol.ts'
import type { LoadQuickJs } from './quickjs-module.ts'
import { createVm } from './vm.ts'

const GUEST_NAMES = { powers: [...POWERS.keys()], refused: REFUSED }

export interface HostParts {
  readonly load: LoadQuickJs
  readonly parse: (document: JsonObject) => Page
  readonly send: (message: FromWorker) => void
}

/**
 * The worker's side of a script session: messages in, messages out, one run after the other. Messages that come before the engine
 * is loaded wait.
 *
 * @returns the function that takes the page's messages
 */
export function createHost({ load, parse, send }: HostParts): (messages: readonly ToWorker[]) => void {
  const waiting: ToWorker[] = []
  let replica: Replica | undefined
  let done: Done[] = []

  async function open(message: Extract<ToWorker, { type: 'open' }>): Promise<void> {
    const limits = lowerLimits(message.limits)
    const engine = await load(limits.memoryBytes)
    replica = createReplica({
      page: parse(message.document),
      limits,
      start: message.start,
      strikes: createStrikes(STRIKES, message.strikes),
      now: () => Date.now(),
      newRowId: () => `id${crypto.randomUUID().replaceAll('-', '')}s`,
      createVm: (host) =>
        createVm({
          engine,
          limits,
          elapsed: () => performance.now(),
          host,
          names: GUEST_NAMES,
          seed: crypto.getRandomValues(new Int32Array(1))[0] ?? 0,
        }),
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
    for (const held of waiting.splice(0)) handle(replica, held)
  }
  /** A watched run: between the two messages the page's watchdog ticks. */
  function frame(job: number, run: () => void): void {
    send({ type: 'began', job })
    run()
    send({ type: 'ended', job, done })
    done = []
  }
  /** Makes the engine unwatched, for it is our own code, then runs the page's `functions` watched; ended by a limit, they have a strike. */
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
      // An engine that does not start would leave the page waiting for answers.
      if (message.type === 'open') open(message).catch(() => send({ type: 'broken' }))
      else if (replica) handle(replica, message)
      else waiting.push(message)
    }
  }
}
