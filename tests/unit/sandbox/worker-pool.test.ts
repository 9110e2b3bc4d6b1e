import { describe, expect, it } from 'vitest'
import type { ToWorker } from '../../../runtime/sandbox/protocol.ts'
import { createWorkerPool, type StartedWorker } from '../../../runtime/sandbox/worker-pool.ts'

const CLOSE: readonly ToWorker[] = [{ type: 'close' }]
const nothing = () => undefined

/** Workers that only note what happens to them. */
function createStarts() {
  const workers: { sent: number; isEnded: boolean; fail: (reason: string) => void }[] = []
  const start = (): StartedWorker => {
    const worker = { sent: 0, isEnded: false, fail: nothing as (reason: string) => void }
    workers.push(worker)
    return {
      listen(_, onFailure) {
        worker.fail = onFailure
      },
      send() {
        worker.sent += 1
      },
      terminate() {
        worker.isEnded = true
      },
    }
  }
  return { workers, start }
}

describe('a pool of script workers', () => {
  it('starts nothing before it is warmed or asked', () => {
    const { workers, start } = createStarts()
    createWorkerPool(start, { spare: 2, most: 4 })

    expect(workers).toHaveLength(0)
  })

  it('gives a session a worker that is there already', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 1, most: 4 })
    pool.warm()
    const endpoint = pool.open(nothing, nothing)
    endpoint.send(CLOSE)

    expect(workers).toHaveLength(1)
    expect(workers[0]?.sent).toBe(1)
  })

  it('never gives a worker to a second session: it ends with the first and a fresh one takes its place', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 1, most: 4 })
    pool.warm()
    pool.open(nothing, nothing).terminate()
    pool.open(nothing, nothing).send(CLOSE)

    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false])
    expect(workers.map(({ sent }) => sent)).toEqual([0, 1])
  })

  it('lets sessions beyond its bound wait for the next end, with what they sent meanwhile', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 0, most: 1 })
    const first = pool.open(nothing, nothing)
    const second = pool.open(nothing, nothing)
    second.send(CLOSE)
    const before = workers.length
    first.terminate()

    expect(before).toBe(1)
    expect(workers).toHaveLength(2)
    expect(workers[1]?.sent).toBe(1)
  })

  it('forgets a session that ended while it waited', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 0, most: 1 })
    const first = pool.open(nothing, nothing)
    pool.open(nothing, nothing).terminate()
    first.terminate()

    expect(workers).toHaveLength(1)
  })

  it('frees one place when a session is ended twice', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 0, most: 1 })
    const first = pool.open(nothing, nothing)
    pool.open(nothing, nothing)
    pool.open(nothing, nothing)
    first.terminate()
    first.terminate()

    expect(workers).toHaveLength(2)
  })

  it('does not hand out a spare worker that died', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 1, most: 4 })
    pool.warm()
    workers[0]?.fail('out of memory')
    pool.open(nothing, nothing).send(CLOSE)

    expect(workers.map(({ sent }) => sent)).toEqual([0, 1])
  })

  it('ends its spare workers when it closes', () => {
    const { workers, start } = createStarts()
    const pool = createWorkerPool(start, { spare: 2, most: 4 })
    pool.warm()
    pool.close()

    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true])
  })
})
