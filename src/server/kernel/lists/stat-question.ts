import type { StatFilter } from '../../../contract/list.ts'
import { type Caller, requires } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import {
  type ComparedSpans,
  customSpans,
  daysOf,
  MAX_CUSTOM_DAYS,
  PERIODS,
  type Period,
  spansOf,
} from '../time/period.ts'
import { isBeyondDays, parseWallTime, type WallTime, wallTimeOf } from '../time/zone.ts'

/** The people whose work is counted: the caller, everybody in the data scope, or a department or person inside it (DOMAIN 3). */
export type StatScope =
  | { readonly kind: 'mine' }
  | { readonly kind: 'team' }
  /** Everybody; the caller of this function narrows it, for rankings only. */
  | { readonly kind: 'anyone' }
  | { readonly kind: 'dept'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }

/**
 * Parses `mine`, `team`, `dept:<id>` or `user:<id>`.
 *
 * @throws Refusal 400 for anything else, 405 without the permission to see others
 */
export function readScope(written: string | undefined, caller: Caller): StatScope {
  const match = /^(mine|team|dept|user)(?::([\w-]{1,64}))?$/.exec(written ?? 'mine')
  const [, kind, id] = match ?? []
  if (kind === undefined || (kind === 'dept' || kind === 'user') !== (id !== undefined))
    refuse(400, 'VALIDATION', text('home.scope'), { detail: 'scope' })
  if (kind === 'mine' || (kind === 'user' && id === caller.userId)) return { kind: 'mine' }
  if (!caller.permissions.has('stats:money')) requires(caller, 'stats:team')
  return kind === 'team' || id === undefined ? { kind: 'team' } : { kind: kind as 'dept' | 'user', id }
}

/**
 * The periods that a statistic compares, at the time of the call.
 *
 * @throws Refusal 400 for an unknown period, or a custom one without days, reversed or longer than 366 days
 */
export function readSpans(stat: Pick<StatFilter, 'period' | 'from' | 'to'>, ctx: CallContext): ComparedSpans {
  const now = wallTimeOf(ctx.now, ctx.zone)
  const period = PERIODS.find((it): it is Period => it === stat.period)
  if (period === undefined) refuse(400, 'VALIDATION', text('home.period'), { detail: 'period' })
  if (period !== 'custom') return spansOf(period, now)
  const spans = customSpans(dayOf(stat.from), dayOf(stat.to), now)
  const days = daysOf(spans.current)
  if (days < 1 || days > MAX_CUSTOM_DAYS || isBeyondDays(spans.current.end))
    refuse(400, 'VALIDATION', text('home.period'), { detail: 'from, to' })
  return spans
}

function dayOf(written: string | undefined): WallTime {
  const day = written?.length === 10 ? parseWallTime(written) : null
  return day ?? refuse(400, 'VALIDATION', text('home.period'), { detail: 'from, to: yyyy-MM-dd' })
}
