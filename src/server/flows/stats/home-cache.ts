import { sql } from 'kysely'
import type { HomeOverview } from '../../../contract/home.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { CountCacheRequest } from '../../kernel/metrics/metrics.ts'
import { isWithin } from '../../kernel/time/within.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'

/** The parts of the home page that are computed from many rows; the rest is read at each call. */
type HomeNumbers = Pick<HomeOverview, 'statistics' | 'own' | 'target' | 'funnel' | 'rank' | 'trend'>

export interface HomeCache {
  /** The numbers of at most `keepMs` ago, or computed now by `count`. */
  numbers(question: string, ctx: CallContext, count: () => Promise<HomeNumbers>): Promise<HomeNumbers>
}

const MAX_CACHED = 5_000

/**
 * Caches the numbers of a person, period and scope (DOMAIN 3). The person's own writes, on any server, a change of rights
 * and a new day take effect at once; writes of colleagues within `keepMs`.
 *
 * @param keepMs  0 disables the cache
 */
export function createHomeCache(keepMs: number, looked?: CountCacheRequest): HomeCache {
  const cached = new Map<string, { readonly since: number; readonly numbers: HomeNumbers }>()
  return {
    async numbers(question, ctx, count) {
      if (keepMs === 0) return count()
      const key = await keyOf(question, ctx)
      const at = ctx.now.getTime()
      const known = cached.get(key)
      const isKnown = known !== undefined && isWithin(keepMs, known.since, at)
      looked?.('home', isKnown)
      if (isKnown) return known.numbers
      const numbers = await count()
      if (cached.size >= MAX_CACHED) cached.clear()
      cached.set(key, { since: at, numbers })
      return numbers
    },
  }
}

/** Read before anything is counted, so that the cached result is never older than its key says. */
async function keyOf(question: string, { trx, caller, now, zone }: CallContext): Promise<string> {
  const { rows } = await sql<{
    n: number
    at: Date | null
  }>`select count(*) as n, max(created_at) as at from idempotency
    where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}`.execute(trx)
  const { tenantId, userId, deptPath, permissions, scopes, customDepts, fieldRights } = caller
  const written = [rows[0]?.n ?? 0, rows[0]?.at?.getTime() ?? 0]
  const rights = [deptPath, [...permissions].sort(), scopes, customDepts, fieldRights]
  return JSON.stringify([tenantId, userId, question, dayText(wallTimeOf(now, zone)), written, rights])
}
