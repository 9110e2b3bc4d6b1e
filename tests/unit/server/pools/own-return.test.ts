import { describe, expect, it } from 'vitest'
import { judgedRules, ownReturn, returnsNothing } from '../../../../src/server/kernel/pools/own-return.ts'
import { type PoolSettings, poolDefaults } from '../../../../src/server/kernel/pools/settings.ts'

type Described = Parameters<typeof ownReturn>[0]

const OPTIONS = ['new', 'open', 'won', 'lost', 'stray'].map((value) => ({ value, label: `«${value}»` }))
const described = (more: Partial<Described> = {}): Described => ({
  behaviours: ['owned', 'pool'],
  fields: [
    { name: 'other', kind: 'choice', label: '其他', options: [{ value: 'won', label: 'x' }] },
    { name: 'state', kind: 'choice', label: '状态', options: OPTIONS },
  ] as unknown as Described['fields'],
  ...more,
})
const moves = (of: Record<string, string[]>): Partial<Described> => ({
  statuses: { field: 'state', moves: of },
})

describe('what decides when records of an own module go back', () => {
  it('are statuses that others lead to and that lead nowhere; the others may be spared', () => {
    const { status, ends, others, canBeDone } = ownReturn(
      described(moves({ new: ['open', 'lost'], open: ['won'], won: [] })),
    )
    expect([status, ends, canBeDone]).toEqual(['state', ['won', 'lost'], true])
    expect(others).toEqual([
      { value: 'new', label: '«new»' },
      { value: 'open', label: '«open»' },
      { value: 'stray', label: '«stray»' },
    ])
  })

  it('a status from which there is a way back is no end', () => {
    expect(ownReturn(described(moves({ new: ['won'], won: ['new'] }))).ends).toEqual([])
  })

  it('without statuses nothing ends; what can be converted can be done', () => {
    expect(ownReturn(described())).toEqual({
      isFollowed: false,
      canBeDone: false,
      status: null,
      ends: [],
      others: [],
    })
    expect(ownReturn(described({ convert: {} })).canBeDone).toBe(true)
  })

  it('are follow-ups, where people write some', () => {
    expect(ownReturn(described({ behaviours: ['owned', 'follow'] })).isFollowed).toBe(true)
  })

  it('a status field without options has no ends', () => {
    const fields = [{ name: 'state', kind: 'text', label: '状态' }] as unknown as Described['fields']
    expect(ownReturn(described({ ...moves({ a: ['b'] }), fields }))).toMatchObject({ ends: [], others: [] })
  })
})

describe('the rules of a pool of an own module', () => {
  const rules: PoolSettings = {
    ...poolDefaults('m.visit'),
    recycle_no_first_follow_days: 1,
    recycle_no_follow_days: { default: 2 },
    recycle_no_deal_days: 3,
  }
  const by = (isFollowed: boolean, canBeDone: boolean) => ({
    ...ownReturn(described()),
    isFollowed,
    canBeDone,
  })

  it('are those that it can be judged by', () => {
    expect(judgedRules(rules, by(true, true))).toEqual(rules)
    expect(judgedRules(rules, by(false, true))).toEqual({ ...rules, recycle_no_first_follow_days: 0 })
    expect(judgedRules(rules, by(true, false))).toEqual({ ...rules, recycle_no_deal_days: 0 })
  })

  it('return nothing if all of them are off', () => {
    const off = poolDefaults('m.visit')
    expect(returnsNothing(off)).toBe(true)
    expect(returnsNothing({ ...off, recycle_no_follow_days: { default: 0, A: 0 } })).toBe(true)
    for (const on of [
      { recycle_no_first_follow_days: 1 },
      { recycle_no_deal_days: 1 },
      { recycle_no_follow_days: { default: 0, A: 1 } },
    ])
      expect(returnsNothing({ ...off, ...on })).toBe(false)
  })
})
