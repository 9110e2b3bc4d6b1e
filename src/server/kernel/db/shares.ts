import { DatabaseUnavailable } from './unavailable.ts'

/** Distributes turns among tenants so that none takes all. */
export interface Shares {
  /** Waits for a turn; the returned function ends it. @throws DatabaseUnavailable after the maximum wait */
  take(tenantId: string): Promise<() => void>
}

export interface ShareSizes {
  /** Maximum turns of all tenants together. */
  readonly all: number
  /** Maximum turns of one tenant. */
  readonly each: number
  readonly waitMs: number
}

interface Waiting {
  readonly tenantId: string
  readonly start: () => void
}

/** The waiting tenant with the fewest turns goes first; within one tenant, and among equals, first come first served. */
export function createShares({ all, each, waitMs }: ShareSizes): Shares {
  const used = new Map<string, number>()
  const line: Waiting[] = []
  let total = 0
  const of = (tenantId: string): number => used.get(tenantId) ?? 0
  const count = (tenantId: string, by: 1 | -1): void => {
    total += by
    const mine = of(tenantId) + by
    if (mine === 0) used.delete(tenantId)
    else used.set(tenantId, mine)
  }
  const next = (): void => {
    if (total >= all) return
    const open = line.filter(({ tenantId }) => of(tenantId) < each)
    const fewest = Math.min(...open.map(({ tenantId }) => of(tenantId)))
    const chosen = open.find(({ tenantId }) => of(tenantId) === fewest)
    if (chosen === undefined) return
    line.splice(line.indexOf(chosen), 1)
    count(chosen.tenantId, 1)
    chosen.start()
  }
  const turn = (tenantId: string): (() => void) => {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      count(tenantId, -1)
      next()
    }
  }
  return {
    take: (tenantId) =>
      new Promise((done, fail) => {
        const patience = setTimeout(() => {
          line.splice(line.indexOf(waiting), 1)
          fail(new DatabaseUnavailable(`this tenant had ${of(tenantId)} calls at work for ${waitMs} ms`))
        }, waitMs)
        const waiting: Waiting = {
          tenantId,
          start() {
            clearTimeout(patience)
            done(turn(tenantId))
          },
        }
        line.push(waiting)
        next()
      }),
  }
}
