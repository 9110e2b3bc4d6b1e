/** Runs tasks of tenants, several in parallel. */
export interface FairQueue {
  /** Runs `task` when it is its turn. @throws {@link QueueFull} at once if too many tasks of the tenant are waiting */
  run<T>(tenantId: string, task: () => Promise<T>): Promise<T>
}

export interface FairQueueLimits {
  /** Maximum parallel tasks. */
  readonly most: number
  /** Maximum parallel tasks of one tenant: the rest is reserved for others. */
  readonly share: number
  /** Maximum waiting tasks of one tenant. */
  readonly waiting: number
}

/** Too many tasks of a tenant are waiting. */
export class QueueFull extends Error {}

/** Waiting tasks are started tenant by tenant: a long queue of one tenant delays another by no more than the running tasks. */
export function createFairQueue({ most, share, waiting }: FairQueueLimits): FairQueue {
  const lines = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let busy = 0

  function next(): void {
    for (const [tenantId, line] of lines) {
      if (busy >= most) return
      if ((running.get(tenantId) ?? 0) >= share) continue
      // The tenant that was just served moves to the end.
      lines.delete(tenantId)
      const begin = line.shift()
      if (line.length > 0) lines.set(tenantId, line)
      begin?.()
    }
  }
  function enter(tenantId: string): void {
    busy += 1
    running.set(tenantId, (running.get(tenantId) ?? 0) + 1)
  }
  function leave(tenantId: string): void {
    busy -= 1
    const remaining = (running.get(tenantId) ?? 1) - 1
    if (remaining === 0) running.delete(tenantId)
    else running.set(tenantId, remaining)
    next()
  }

  return {
    async run(tenantId, task) {
      const line = lines.get(tenantId) ?? []
      if (line.length >= waiting) throw new QueueFull()
      await new Promise<void>((begin) => {
        line.push(() => {
          enter(tenantId)
          begin()
        })
        lines.set(tenantId, line)
        next()
      })
      try {
        return await task()
      } finally {
        leave(tenantId)
      }
    },
  }
}
