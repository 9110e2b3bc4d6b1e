import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

const MINUTE_MS = 60_000
/** Calls under way at once: of a tenant, and of all. */
const TENANT_MOST = 8
const ALL_MOST = 64

/** Who may call outside now. Counted on this server. */
export interface Turns {
  /**
   * Runs `work` as one call of a connection.
   * @throws Refusal 429 when the minute's calls are used up, or too many are under way
   */
  run<T>(
    of: { readonly tenantId: string; readonly id: string; readonly perMinute: number },
    work: () => Promise<T>,
  ): Promise<T>
}

/** @param now  milliseconds since the epoch */
export function createTurns(now: () => number): Turns {
  const running = new Map<string, number>()
  const minutes = new Map<string, { readonly until: number; count: number }>()
  let all = 0

  function count(key: string, most: number): void {
    const at = now()
    for (const [other, { until }] of minutes) if (until <= at) minutes.delete(other)
    const minute = minutes.get(key) ?? { until: at + MINUTE_MS, count: 0 }
    minutes.set(key, minute)
    if (minute.count >= most) tooMany('conn.rate', Math.max(1, Math.ceil((minute.until - at) / 1000)))
    minute.count += 1
  }

  return {
    async run({ tenantId, id, perMinute }, work) {
      const before = running.get(tenantId) ?? 0
      if (before >= TENANT_MOST || all >= ALL_MOST) tooMany('conn.busy', 1)
      count(`${tenantId} ${id}`, perMinute)
      running.set(tenantId, before + 1)
      all += 1
      try {
        return await work()
      } finally {
        all -= 1
        const left = (running.get(tenantId) ?? 1) - 1
        if (left === 0) running.delete(tenantId)
        else running.set(tenantId, left)
      }
    },
  }
}

function tooMany(code: 'conn.rate' | 'conn.busy', seconds: number): never {
  refuse(429, 'RATE_LIMIT', text(code, { seconds }), { data: { retryAfter: seconds } })
}
