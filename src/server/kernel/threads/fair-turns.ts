/** Lets tasks of tenants run, some at once. */
export interface FairTurns {
  /** Runs `task` when it is its turn. @throws {@link Crowded} at once when too many of the tenant wait already */
  run<T>(tenantId: string, task: () => Promise<T>): Promise<T>
}

export interface TurnsSize {
  /** Tasks at once. */
  readonly most: number
  /** Of one tenant at once: the rest is there for the others. */
  readonly share: number
  /** Of one tenant in line. */
  readonly waiting: number
}

/** Too many tasks of a tenant wait. */
export class Crowded extends Error {}

/** Whoever waits is taken tenant by tenant: a long line of one costs another no more than the tasks under way. */
export function createFairTurns({ most, share, waiting }: TurnsSize): FairTurns {
  const lines = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let busy = 0

  function next(): void {
    for (const [tenantId, line] of lines) {
      if (busy >= most) return
      if ((running.get(tenantId) ?? 0) >= share) continue
      // Behind the others: who was served is asked last.
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
    const left = (running.get(tenantId) ?? 1) - 1
    if (left === 0) running.delete(tenantId)
    else running.set(tenantId, left)
    next()
  }

  return {
    async run(tenantId, task) {
      const line = lines.get(tenantId) ?? []
      if (line.length >= waiting) throw new Crowded()
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
