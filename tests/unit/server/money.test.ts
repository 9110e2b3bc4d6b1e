import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  centsOf,
  hasDigits,
  lineAmount,
  percentOf,
  rateOf,
  splitByShares,
  sumYuan,
  yuanOf,
} from '../../../src/server/kernel/fields/money.ts'

const cents = fc.integer({ min: 0, max: 999_999_999_999 })
const yuan = cents.map((it) => it / 100)

describe('rounding', () => {
  it.each([
    [1, 1.005, 1.01],
    [33.35, 3.3, 110.06],
    [0.01, 0.5, 0.01],
    [0.01, 0.499, 0],
    [9_999_999_999.99, 1, 9_999_999_999.99],
    [0.07, 100, 7],
    [1.1, 1.1, 1.21],
  ])('turns %d × %d into %d', (price, quantity, amount) => {
    expect(lineAmount(price, quantity)).toBe(amount)
  })

  it('of a line is never further than half a cent from the exact product, and half rounds up', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 1, max: 9_999_999 }),
        (price, quantity) => {
          const exact = BigInt(price) * BigInt(quantity)
          const rounded = BigInt(Math.round(lineAmount(price / 100, quantity / 1000) * 100)) * 1000n

          expect(rounded - exact).toBeLessThanOrEqual(500n)
          expect(rounded - exact).toBeGreaterThan(-500n)
        },
      ),
    )
  })

  it('by 100 % changes nothing, and a share of itself is 100', () => {
    fc.assert(
      fc.property(yuan, (amount) => {
        expect([percentOf(amount, 100), rateOf(amount, amount)]).toEqual([amount, 100])
      }),
    )
  })

  it('never loses a cent when an amount is split', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(yuan, shares, (amount, parts) => {
        expect(sumYuan(splitByShares(amount, parts))).toBe(amount)
      }),
    )
  })

  it('of sums does not drift', () => {
    expect(sumYuan(Array.from({ length: 1000 }, () => 0.1))).toBe(100)
    expect(sumYuan([0.1, 0.2])).toBe(0.3)
  })

  it.each([
    [100, 3.3, 3.3],
    [33.35, 50, 16.68],
    [0.01, 50, 0.01],
    [0.01, 49.99, 0],
    [12.34, 0, 0],
    [9_999_999_999.99, 12.34, 1_234_000_000],
  ])('of %d with a share of %d per cent is %d', (amount, rate, part) => {
    expect(percentOf(amount, rate)).toBe(part)
  })

  it.each([
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 8, 12.5],
    [1, 20_000, 0.01],
    [3, 2, 150],
    [0, 5, 0],
    [0, 0, 100],
    [5, 0, 100],
    [5, 0.004, 100],
  ])('of %d as a share of %d is %d per cent', (part, whole, rate) => {
    expect(rateOf(part, whole)).toBe(rate)
  })

  it('of a split gives each part its share, and the last part the remaining cents', () => {
    expect(splitByShares(100, [1, 1, 1])).toEqual([33.33, 33.33, 33.34])
    expect(splitByShares(0.05, [50, 30, 20])).toEqual([0.02, 0.01, 0.02])
    expect(splitByShares(10, [3])).toEqual([10])
    expect(splitByShares(10, [1, 3])).toEqual([2.5, 7.5])
  })

  it('between yuan and cents loses nothing, even if a float is only near the amount', () => {
    expect([1.005, 0.29, 1.1, 4.35, -4.35].map(centsOf)).toEqual([100, 29, 110, 435, -435])
    expect([29, 435, -1].map(yuanOf)).toEqual([0.29, 4.35, -0.01])
    expect(sumYuan([])).toBe(0)
    expect(sumYuan([5, -5.01])).toBe(-0.01)
  })
})

it.each<[number, boolean]>([
  [1, true],
  [0.1, true],
  [0.12, true],
  [-0.12, true],
  [0.123, false],
  [1e21, false],
  [1e-7, false],
  [100.005, false],
])('decides for %d whether it has at most two decimals: %s', (value, has) => {
  expect(hasDigits(value, 2)).toBe(has)
})
