import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatDecimal, moneyText, roundDecimal } from '../../runtime/core/decimal.ts'

it.each([
  [1.005, 2, 1.01],
  [2.675, 2, 2.68],
  [-1.005, 2, -1.01],
  [1e-7, 2, 0],
  [0.5, 0, 1],
  [1234567.891, 1, 1234567.9],
  [1.5, -3, 2],
  [-0.001, 2, 0],
  [1.23456, 3.9, 1.235],
  [1 / 3, 20, 0.333333333333333],
  [999_999_999_999_999.5, 0, 1e15],
  [1e15 + 0.5, 0, 1e15 + 0.5],
  [-1e15, 2, -1e15],
  [1e300, 2, 1e300],
  [Number.POSITIVE_INFINITY, 2, Number.POSITIVE_INFINITY],
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

it('groups by thousands and writes no minus sign before zero', () => {
  expect(formatDecimal(-1234567.5, 2)).toBe('-1,234,567.50')
  expect(formatDecimal(-0.001, 2)).toBe('0.00')
  expect(formatDecimal(Number.NaN, 2)).toBe('')
})

it('writes the requested decimals, between 0 and 15, with optional grouping', () => {
  expect(formatDecimal(1234.5, 0)).toBe('1,235')
  expect(formatDecimal(1234.5, -1)).toBe('1,235')
  expect(formatDecimal(1234.5, 1.9)).toBe('1,234.5')
  expect(formatDecimal(0.5, 40)).toBe('0.500000000000000')
  expect(formatDecimal(1234567.5, 2, false)).toBe('1234567.50')
  expect(formatDecimal(123, 2)).toBe('123.00')
  expect(formatDecimal(-1.5, 0)).toBe('-2')
  expect(formatDecimal(Number.NEGATIVE_INFINITY, 2)).toBe('')
})

it('writes an amount with its sign before the currency symbol', () => {
  expect([1234.5, -1234.5, 0, -0.001].map(moneyText)).toEqual(['¥1,234.50', '-¥1,234.50', '¥0.00', '¥0.00'])
})
