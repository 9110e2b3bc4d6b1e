import type { FromWorker, OpenEndpoint, ToWorker } from './protocol.ts'

/** A started worker that has served nobody yet. */
export interface StartedWorker {
  listen(onMessage: (message: FromWorker) => void, onFailure: (reason: string) => void): void
  send(messages: readonly ToWorker[]): void
  terminate(): void
}

export interface PoolSize {
  /** Workers kept ready. */
  readonly spare: number
  /** Sessions served at once; further ones wait for their turn. */
  readonly most: number
}

/** Workers that are started before they are asked for. */
export interface WorkerPool {
  readonly open: OpenEndpoint
  /** Starts the spare workers; until then, and without it, each session starts its own. */
  warm(): void
  /** Ends the spare workers and starts no more. */
  close(): void
}

/**
 * Hands each session a worker of its own and ends it with the session: a worker never serves two, so nothing of one page, person or
 * tenant is left for the next. Only what all sessions have in common, the start of thread and engine, is done ahead.
 */
export function createWorkerPool(start: () => StartedWorker, { spare, most }: PoolSize): WorkerPool {
  const ready: StartedWorker[] = []
  const waiting: (() => void)[] = []
  let serving = 0
  let wanted = 0

  function fill(): void {
    while (ready.length < wanted) {
      const worker = start()
      // One that dies while nobody has it is forgotten; the next session finds or starts another.
      worker.listen(
        () => undefined,
        () => drop(worker),
      )
      ready.push(worker)
    }
  }
  function drop(worker: StartedWorker): void {
    const at = ready.indexOf(worker)
    if (at >= 0) ready.splice(at, 1)
  }
  function left(): void {
    serving -= 1
    const next = waiting.shift()
    if (next) next()
    else fill()
  }

  const open: OpenEndpoint = (onMessage, onFailure) => {
    const held: (readonly ToWorker[])[] = []
    let worker: StartedWorker | undefined
    let isOver = false
    const begin = (): void => {
      serving += 1
      worker = ready.shift() ?? start()
      worker.listen(onMessage, onFailure)
      for (const messages of held.splice(0)) worker.send(messages)
    }
    if (serving < most) begin()
    else waiting.push(begin)
    return {
      send(messages) {
        if (worker) worker.send(messages)
        else held.push(messages)
      },
      terminate() {
        if (isOver) return
        isOver = true
        if (worker) {
          worker.terminate()
          left()
        } else waiting.splice(waiting.indexOf(begin), 1)
      },
    }
  }
  return {
    open,
    warm() {
      wanted = spare
      fill()
    },
    close() {
      wanted = 0
      for (const worker of ready.splice(0)) worker.terminate()
    },
  }
}
