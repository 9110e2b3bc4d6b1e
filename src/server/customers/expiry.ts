import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'

/** What decides when a customer goes back to the pool (CRM 1.2.4). */
export interface Holding {
  readonly owner_id: string | null
  readonly owner_since: Date | null
  readonly obtain_way: string
  readonly level: string
  readonly deal_status: number
  readonly lock_status: boolean
  readonly last_follow_at: Date | null
  readonly has_open_bussiness: boolean
}

/** The recycling rules of a pool; 0 days is "off" (CRM 1.2.1). */
export interface RecycleRules {
  readonly noFirstFollowDays: number
  readonly noFollowDays: (level: string) => number
  readonly noDealDays: number
  readonly exemptDeal: boolean
  readonly exemptOpenBussiness: boolean
}

const DAY_MS = 86_400_000
const NO_FOLLOW_DAYS: Json = { A: 30, B: 20, default: 15 }

/** Rules from a pool's settings; an absent key means the default of CRM 1.2.1. */
export function recycleRulesOf(settings: unknown): RecycleRules {
  const days = (name: string, fallback: number) => numberOr(ownValue(settings, name), fallback)
  const byLevel = ownValue(settings, 'recycle_no_follow_days')
  const levels = isObject(byLevel) ? byLevel : NO_FOLLOW_DAYS
  return {
    noFirstFollowDays: days('recycle_no_first_follow_days', 3),
    noFollowDays: (level) => numberOr(ownValue(levels, level), numberOr(ownValue(levels, 'default'), 15)),
    noDealDays: days('recycle_no_deal_days', 90),
    exemptDeal: ownValue(settings, 'exempt_deal') !== false,
    exemptOpenBussiness: ownValue(settings, 'exempt_open_opportunity') !== false,
  }
}

/** The earliest moment at which a rule takes the customer back; null when none does. */
export function expireAt(holding: Holding, rules: RecycleRules): Date | null {
  const since = holding.owner_since
  if (holding.owner_id === null || since === null || holding.lock_status) return null
  if (holding.deal_status === 1 && rules.exemptDeal) return null
  if (holding.has_open_bussiness && rules.exemptOpenBussiness) return null
  const followed =
    holding.last_follow_at !== null && holding.last_follow_at > since ? holding.last_follow_at : null
  const wasTaken = holding.obtain_way === 'claimed' || holding.obtain_way === 'assigned'
  const ends = [
    followed === null && wasTaken ? after(since, rules.noFirstFollowDays) : null,
    after(followed ?? since, rules.noFollowDays(holding.level)),
    holding.deal_status === 0 ? after(since, rules.noDealDays) : null,
  ].filter((end) => end !== null)
  return ends.length === 0 ? null : new Date(Math.min(...ends))
}

/** Whole days until `expiry`, a day begun counts; 0 once it has passed, null when nothing expires. */
export function leftDays(expiry: Date | null, now: Date): number | null {
  return expiry === null ? null : Math.max(0, Math.ceil((expiry.getTime() - now.getTime()) / DAY_MS))
}

function after(from: Date, days: number): number | null {
  return days === 0 ? null : from.getTime() + days * DAY_MS
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && value >= 0 ? value : fallback
}
