import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatDecimal, roundDecimal } from '../../runtime/core/decimal.ts'

it.each([
  [1.005, 2, 1.01],
  [2.675, 2, 2.68],
  [-1.005, 2, -1.01],
  [1e-7, 2, 0],
  [0.5, 0, 1],
  [1234567.891, 1, 1234567.9],
])('rounds %d to %d decimals as %d', (value, digits, rounded) => {
  expect(roundDecimal(value, digits)).toBe(rounded)
})

it('rounding whole cents changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
      expect(roundDecimal(cents / 100)).toBe(cents / 100)
    }),
  )
})

it('groups by thousands and writes no minus before zero', () => {
  expect(formatDecimal(-1234567.5, 2)).toBe('-1,234,567.50')
  expect(formatDecimal(-0.001, 2)).toBe('0.00')
  expect(formatDecimal(Number.NaN, 2)).toBe('')
})
