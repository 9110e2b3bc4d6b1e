import type { PoolName } from '../context/entities.ts'
import type { PoolSettings } from './settings.ts'

/** The facts that decide when a record returns to its pool (DOMAIN 1.2.4). */
export interface Holding {
  readonly owner_id: string | null
  readonly owner_since: Date | null
  readonly obtain_way: string
  readonly level: string | null
  readonly last_follow_at: Date | null
  /** Customer: locked. Record of an own module: an approval is running. Always false for the others. */
  readonly is_locked: boolean
  /** Customer: has a deal. Lead: converted or invalid. Opportunity: closed. Record of an own module: in a final or exempt status, or converted. */
  readonly is_done: boolean
  readonly has_open_bussiness: boolean
  /** Opportunity: when it reached its stage. */
  readonly stage_since: Date | null
}

const DAY_MS = 86_400_000

/** Why a record returns, as a code of dictionary `pool_reason`. */
type RecycleReason = 'follow_overdue' | 'deal_overdue'

/** When a record returns, and by which rule. */
export interface Expiry {
  readonly at: Date
  readonly reason: RecycleReason
}

/**
 * The earliest time at which a rule recycles the record; null if none does.
 *
 * @param graceUntil  not before this time: the rules were changed recently
 */
export function expiryOf(
  entity: PoolName,
  holding: Holding,
  rules: PoolSettings,
  graceUntil: Date | null,
): Expiry | null {
  const since = holding.owner_since
  if (holding.owner_id === null || since === null || isExempt(entity, holding, rules)) return null
  const earliest = endsOf(entity, holding, rules, since).sort((a, b) => a.at - b.at)[0]
  if (earliest === undefined) return null
  const at = Math.max(earliest.at, graceUntil?.getTime() ?? 0)
  return { at: new Date(at), reason: earliest.reason }
}

function isExempt(entity: PoolName, holding: Holding, rules: PoolSettings): boolean {
  if (holding.is_locked) return true
  if (holding.is_done && (entity !== 'customer' || rules.exempt_deal)) return true
  return entity === 'customer' && holding.has_open_bussiness && rules.exempt_open_opportunity
}

interface End {
  readonly at: number
  readonly reason: RecycleReason
}

function endsOf(entity: PoolName, holding: Holding, rules: PoolSettings, since: Date): End[] {
  const { recycle_no_follow_days: byLevel } = rules
  const noFollowDays = byLevel[holding.level ?? ''] ?? byLevel.default ?? 0
  const moved = entity === 'bussiness' ? holding.stage_since : holding.last_follow_at
  const last = moved !== null && moved > since ? moved : null
  const wasTaken = holding.obtain_way === 'claimed' || holding.obtain_way === 'assigned'
  return [
    ...(last === null && wasTaken
      ? endAfter(since, rules.recycle_no_first_follow_days, 'follow_overdue')
      : []),
    ...endAfter(last ?? since, noFollowDays, 'follow_overdue'),
    ...(holding.is_done ? [] : endAfter(since, rules.recycle_no_deal_days, 'deal_overdue')),
  ]
}

function endAfter(from: Date, days: number, reason: RecycleReason): readonly End[] {
  return days === 0 ? [] : [{ at: from.getTime() + days * DAY_MS, reason }]
}

/** Whole days until `expiry`, rounded up; 0 once it has passed, null if nothing expires. */
export function remainingDays(expiry: Date | null, now: Date): number | null {
  return expiry === null ? null : Math.max(0, Math.ceil((expiry.getTime() - now.getTime()) / DAY_MS))
}
