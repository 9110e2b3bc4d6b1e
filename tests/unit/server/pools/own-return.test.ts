import { describe, expect, it } from 'vitest'
import { applicableRules, hasNoRules, ownReturn } from '../../../../src/server/kernel/pools/own-return.ts'
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

describe('the conditions for returning records of an own module', () => {
  it('are statuses that others lead to and that lead nowhere; other statuses may be exempt', () => {
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

  it('do not include a status that leads back to others', () => {
    expect(ownReturn(described(moves({ new: ['won'], won: ['new'] }))).ends).toEqual([])
  })

  it('do not include statuses if there are none; convertible records can be done', () => {
    expect(ownReturn(described())).toEqual({
      isFollowed: false,
      canBeDone: false,
      status: null,
      ends: [],
      others: [],
    })
    expect(ownReturn(described({ convert: {} })).canBeDone).toBe(true)
  })

  it('include follow-ups if users can write them', () => {
    expect(ownReturn(described({ behaviours: ['owned', 'follow'] })).isFollowed).toBe(true)
  })

  it('do not include a status field without options', () => {
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

  it('are those whose data the module has', () => {
    expect(applicableRules(rules, by(true, true))).toEqual(rules)
    expect(applicableRules(rules, by(false, true))).toEqual({ ...rules, recycle_no_first_follow_days: 0 })
    expect(applicableRules(rules, by(true, false))).toEqual({ ...rules, recycle_no_deal_days: 0 })
  })

  it('return nothing if all rules are off', () => {
    const off = poolDefaults('m.visit')
    expect(hasNoRules(off)).toBe(true)
    expect(hasNoRules({ ...off, recycle_no_follow_days: { default: 0, A: 0 } })).toBe(true)
    for (const on of [
      { recycle_no_first_follow_days: 1 },
      { recycle_no_deal_days: 1 },
      { recycle_no_follow_days: { default: 0, A: 1 } },
    ])
      expect(hasNoRules({ ...off, ...on })).toBe(false)
  })
})
