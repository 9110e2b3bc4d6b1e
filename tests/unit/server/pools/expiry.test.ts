import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expiryOf, type Holding, remainingDays } from '../../../../src/server/kernel/pools/expiry.ts'
import { POOL_DEFAULTS, type PoolSettings } from '../../../../src/server/kernel/pools/settings.ts'

const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000)
const OFF: PoolSettings = {
  ...POOL_DEFAULTS.customer,
  recycle_no_first_follow_days: 0,
  recycle_no_follow_days: { default: 0 },
  recycle_no_deal_days: 0,
}
const HELD: Holding = {
  owner_id: 'u1',
  owner_since: day(0),
  obtain_way: 'claimed',
  level: null,
  last_follow_at: null,
  is_locked: false,
  is_done: false,
  has_open_bussiness: false,
  stage_since: null,
}
const told = (
  entity: 'customer' | 'lead' | 'bussiness',
  holding: Partial<Holding>,
  rules: Partial<PoolSettings>,
  grace: Date | null = null,
) => {
  const expiry = expiryOf(entity, { ...HELD, ...holding }, { ...OFF, ...rules }, grace)
  return expiry === null
    ? null
    : [Math.round((expiry.at.getTime() - day(0).getTime()) / 86_400_000), expiry.reason]
}

describe('a record returns to its pool', () => {
  const ALL = {
    recycle_no_first_follow_days: 3,
    recycle_no_follow_days: { A: 30, default: 15 },
    recycle_no_deal_days: 90,
  }

  it('never while it has no owner, or while the time of receipt is unknown', () => {
    expect(told('customer', { owner_id: null }, ALL)).toBeNull()
    expect(told('customer', { owner_since: null }, ALL)).toBeNull()
    expect(told('customer', {}, {})).toBeNull()
  })

  it('if it was claimed or assigned and has no first follow-up', () => {
    expect(told('customer', {}, ALL)).toEqual([3, 'follow_overdue'])
    expect(told('customer', { obtain_way: 'assigned' }, ALL)).toEqual([3, 'follow_overdue'])
    expect(told('customer', { obtain_way: 'created' }, ALL)).toEqual([15, 'follow_overdue'])
    expect(told('customer', { last_follow_at: day(-1) }, ALL)).toEqual([3, 'follow_overdue'])
    expect(told('customer', { last_follow_at: day(0) }, ALL)).toEqual([3, 'follow_overdue'])
    expect(told('customer', { last_follow_at: day(1) }, ALL)).toEqual([16, 'follow_overdue'])
  })

  it('after the days without a follow-up that its level, or all levels, allow', () => {
    const rules = { recycle_no_follow_days: { A: 30, B: 0, default: 15 } }
    expect(told('customer', { level: 'A' }, rules)).toEqual([30, 'follow_overdue'])
    expect(told('customer', { level: 'C' }, rules)).toEqual([15, 'follow_overdue'])
    expect(told('customer', { level: 'B' }, rules)).toBeNull()
    expect(told('customer', { level: 'A', last_follow_at: day(10) }, rules)).toEqual([40, 'follow_overdue'])
    expect(told('customer', { level: 'A' }, { recycle_no_follow_days: {} })).toBeNull()
  })

  it('without a deal, however often it is followed up, but not with one', () => {
    const rules = { recycle_no_deal_days: 90, exempt_deal: false }
    expect(told('customer', { last_follow_at: day(80) }, rules)).toEqual([90, 'deal_overdue'])
    expect(told('customer', { is_done: true }, rules)).toBeNull()
    expect(told('customer', { is_done: true }, { ...ALL, exempt_deal: false })).toEqual([3, 'follow_overdue'])
  })

  it('by the earliest rule, but not within the grace period after a change of rules', () => {
    expect(told('customer', { last_follow_at: day(85) }, ALL)).toEqual([90, 'deal_overdue'])
    expect(told('customer', {}, ALL, day(7))).toEqual([7, 'follow_overdue'])
    expect(told('customer', {}, ALL, day(2))).toEqual([3, 'follow_overdue'])
  })

  it('unless it is exempt: locked, done, or a customer with an open deal', () => {
    expect(told('customer', { is_locked: true }, ALL)).toBeNull()
    expect(told('customer', { is_done: true }, ALL)).toBeNull()
    expect(told('lead', { is_done: true }, { ...ALL, exempt_deal: false })).toBeNull()
    expect(told('bussiness', { is_done: true }, { ...ALL, exempt_deal: false })).toBeNull()
    expect(told('customer', { has_open_bussiness: true }, ALL)).toBeNull()
    expect(
      told('customer', { has_open_bussiness: true }, { ...ALL, exempt_open_opportunity: false }),
    ).toEqual([3, 'follow_overdue'])
    expect(told('lead', { has_open_bussiness: true }, ALL)).toEqual([3, 'follow_overdue'])
  })

  it('by the last stage change of an opportunity, not by its follow-ups', () => {
    const rules = { recycle_no_follow_days: { default: 20 } }
    expect(told('bussiness', { stage_since: day(5), last_follow_at: day(15) }, rules)).toEqual([
      25,
      'follow_overdue',
    ])
    expect(told('lead', { stage_since: day(5), last_follow_at: day(15) }, rules)).toEqual([
      35,
      'follow_overdue',
    ])
  })

  it('later after later follow-ups, and never before it was received', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), fc.nat(40), (a, b, days) => {
        const rules = { recycle_no_follow_days: { default: days } }
        const at = (n: number) => told('customer', { last_follow_at: day(n) }, rules)?.[0]
        const [early, late] = [Math.min(a, b), Math.max(a, b)].map(at)
        if (days === 0) expect([early, late]).toEqual([undefined, undefined])
        else expect(Number(early)).toBeLessThanOrEqual(Number(late))
      }),
    )
  })
})

it('after remaining days that are rounded up, never negative, and absent without a rule', () => {
  const now = day(10)
  const left = [
    day(12),
    new Date(day(11).getTime() + 1),
    day(11),
    new Date(day(10).getTime() + 1),
    now,
    day(9),
    null,
  ]
  expect(left.map((expiry) => remainingDays(expiry, now))).toEqual([2, 2, 1, 1, 0, 0, null])
})
