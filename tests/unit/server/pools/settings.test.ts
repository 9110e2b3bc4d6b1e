import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import {
  POOL_DEFAULTS,
  poolDefaults,
  poolSettingsOf,
  settingFaults,
} from '../../../../src/server/kernel/pools/settings.ts'

/** Each number of a pool with the most it may be. */
const NUMBERS: readonly (readonly [string, number])[] = [
  ['daily_claim_limit', 1000],
  ['holding_cap', 100_000],
  ['lock_cap', 10_000],
  ['prev_owner_cooldown_days', 365],
  ['new_data_cooldown_hours', 720],
  ['recycle_no_first_follow_days', 365],
  ['recycle_no_deal_days', 1095],
  ['remind_days', 30],
  ['daily_view_limit', 10_000],
]
const TABLES = ['holding_cap_by_user', 'holding_cap_by_dept', 'recycle_no_follow_days']
const FLAGS = ['exempt_deal', 'exempt_open_opportunity', 'release_deal', 'manual_pool_choice']
const faults = (given: JsonObject) => settingFaults('customer', given)

describe('the settings of a pool', () => {
  it.each(NUMBERS)('accept for %s integers from 0 to %d', (name, most) => {
    for (const right of [0, 1, most]) expect([right, faults({ [name]: right })]).toEqual([right, []])
    for (const wrong of [-1, most + 1, 1.5, '1', null, true, [], {}])
      expect([wrong, faults({ [name]: wrong })]).toEqual([wrong, [name]])
  })

  it.each(TABLES)('accept for %s a table of integers, with at most 500 entries', (name) => {
    const table = (entries: number) =>
      Object.fromEntries(Array.from({ length: entries }, (_, i) => [`u${i}`, i]))
    expect(faults({ [name]: {} })).toEqual([])
    expect(faults({ [name]: table(500) })).toEqual([])
    expect(faults({ [name]: table(501) })).toEqual([name])
    expect(faults({ [name]: { a: 100_000 } })).toEqual([])
    for (const wrong of [{ a: -1 }, { a: 100_001 }, { a: 1, b: '1' }, { a: 0.5 }, [], 3, null, 'x'])
      expect([wrong, faults({ [name]: wrong })]).toEqual([wrong, [name]])
  })

  it.each(FLAGS)('accept for %s true or false', (name) => {
    expect([true, false].flatMap((flag) => faults({ [name]: flag }))).toEqual([])
    for (const wrong of [0, 1, 'true', null, [], {}])
      expect([wrong, faults({ [name]: wrong })]).toEqual([wrong, [name]])
  })

  it('accept for masked_fields a list of at most 40 texts', () => {
    const list = (n: number) => Array.from({ length: n }, (_, i) => `f${i}`)
    for (const right of [[], list(1), list(40)]) expect(faults({ masked_fields: right })).toEqual([])
    for (const wrong of [list(41), ['a', 1], 'a', null, {}])
      expect([wrong, faults({ masked_fields: wrong })]).toEqual([wrong, ['masked_fields']])
  })

  it('reject each unknown name', () => {
    expect(faults({ nothing: 1, constructor: 1, holding_cap: 5, lock_cap: -1 })).toEqual([
      'nothing',
      'constructor',
      'lock_cap',
    ])
    expect(faults({})).toEqual([])
  })
})

describe('the effective settings of a pool', () => {
  it('are those of its entity if none are stored', () => {
    expect(poolSettingsOf('customer', {})).toEqual(POOL_DEFAULTS.customer)
    expect(poolSettingsOf('lead', null)).toEqual(POOL_DEFAULTS.lead)
    expect(poolSettingsOf('bussiness', 'x')).toEqual(POOL_DEFAULTS.bussiness)
    expect(poolSettingsOf('lead', undefined)).not.toEqual(POOL_DEFAULTS.customer)
  })

  it('are the stored ones if valid, and the defaults for the others', () => {
    const stored = { holding_cap: 7, lock_cap: -1, exempt_deal: false, release_deal: 'yes', unknown: 1 }
    expect(poolSettingsOf('customer', stored)).toEqual({
      ...POOL_DEFAULTS.customer,
      holding_cap: 7,
      exempt_deal: false,
    })
  })

  /** DOMAIN 1.2.1 */
  it('have the default rules of the domain', () => {
    const common = {
      holding_cap_by_user: {},
      holding_cap_by_dept: {},
      new_data_cooldown_hours: 0,
      exempt_deal: true,
      exempt_open_opportunity: true,
      release_deal: false,
      daily_view_limit: 0,
      manual_pool_choice: true,
    }
    const ways = ['mobile', 'mobile2', 'telephone', 'wechat', 'email', 'qq', 'contacts']
    expect(POOL_DEFAULTS).toEqual({
      customer: {
        ...common,
        daily_claim_limit: 10,
        holding_cap: 200,
        lock_cap: 20,
        prev_owner_cooldown_days: 7,
        recycle_no_first_follow_days: 3,
        recycle_no_follow_days: { A: 30, B: 20, default: 15 },
        recycle_no_deal_days: 90,
        remind_days: 3,
        masked_fields: ways,
      },
      lead: {
        ...common,
        lock_cap: 0,
        daily_claim_limit: 20,
        holding_cap: 300,
        prev_owner_cooldown_days: 3,
        recycle_no_first_follow_days: 1,
        recycle_no_follow_days: { default: 7 },
        recycle_no_deal_days: 30,
        remind_days: 1,
        masked_fields: ways,
      },
      bussiness: {
        ...common,
        lock_cap: 0,
        daily_claim_limit: 5,
        holding_cap: 100,
        prev_owner_cooldown_days: 7,
        recycle_no_first_follow_days: 0,
        recycle_no_follow_days: { default: 20 },
        recycle_no_deal_days: 0,
        remind_days: 3,
        masked_fields: ['amount'],
      },
    })
  })
})

describe('the settings of a pool of an own module', () => {
  const own = (given: JsonObject) => settingFaults('m.visit', given)

  it('limit no user and return no record by default', () => {
    expect(poolSettingsOf('m.visit', {})).toEqual({
      ...POOL_DEFAULTS.bussiness,
      daily_claim_limit: 0,
      holding_cap: 0,
      prev_owner_cooldown_days: 0,
      recycle_no_follow_days: {},
      masked_fields: [],
      exempt_statuses: [],
    })
    expect(poolDefaults('lead')).toBe(POOL_DEFAULTS.lead)
  })

  it('have no levels', () => {
    expect(own({ recycle_no_follow_days: { default: 3 } })).toEqual([])
    expect(own({ recycle_no_follow_days: { default: 3, A: 1 } })).toEqual(['recycle_no_follow_days'])
    expect(own({ holding_cap_by_user: { A: 1 } })).toEqual([])
  })

  it.each<[string, Json, Json]>([
    ['lock_cap', 1, 0],
    ['exempt_deal', false, true],
    ['exempt_open_opportunity', false, true],
    ['release_deal', true, false],
    ['masked_fields', ['mobile'], []],
    ['daily_view_limit', 1, 0],
  ])('accept no other value for %s', (name, other, same) => {
    expect(own({ [name]: other })).toEqual([name])
    expect(own({ [name]: same })).toEqual([])
    expect(faults({ [name]: other })).toEqual([])
  })

  it('list statuses that exempt a record from return', () => {
    expect(own({ exempt_statuses: ['won'], holding_cap: 5 })).toEqual([])
    expect(own({ exempt_statuses: [1] })).toEqual(['exempt_statuses'])
    expect(faults({ exempt_statuses: ['won'] })).toEqual(['exempt_statuses'])
  })
})
