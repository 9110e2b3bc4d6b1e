import { createMinuteCounts } from '../../kernel/security/minute-counts.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Maximum concurrent calls: per tenant, and in total. */
const MAX_TENANT_CALLS = 8
const MAX_CALLS = 64

/** Limits outgoing calls. Counted on this server. */
export interface CallLimiter {
  /**
   * Runs `work` as one call of a connection.
   *
   * @throws Refusal 429 if the calls of this minute are used up, or too many are running
   */
  run<T>(
    of: { readonly tenantId: string; readonly id: string; readonly perMinute: number },
    work: () => Promise<T>,
  ): Promise<T>
}

/** @param now  milliseconds since the epoch */
export function createCallLimiter(now: () => number): CallLimiter {
  const running = new Map<string, number>()
  const minutes = createMinuteCounts(now)
  let all = 0

  function count(key: string, most: number): void {
    const minute = minutes.add(key)
    if (minute.count > most) tooMany('conn.rate', minute.seconds)
  }

  return {
    async run({ tenantId, id, perMinute }, work) {
      const before = running.get(tenantId) ?? 0
      if (before >= MAX_TENANT_CALLS || all >= MAX_CALLS) tooMany('conn.busy', 1)
      count(`${tenantId} ${id}`, perMinute)
      running.set(tenantId, before + 1)
      all += 1
      try {
        return await work()
      } finally {
        all -= 1
        const remaining = (running.get(tenantId) ?? 1) - 1
        if (remaining === 0) running.delete(tenantId)
        else running.set(tenantId, remaining)
      }
    },
  }
}

function tooMany(code: 'conn.rate' | 'conn.busy', seconds: number): never {
  refuse(429, 'RATE_LIMIT', text(code, { seconds }), { data: { retryAfter: seconds } })
}
