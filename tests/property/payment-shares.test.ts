import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Share, spread, takeBack } from '../../src/server/payments/spread.ts'

const cents = fc.integer({ min: 1, max: 1_000_000 })
const plans = fc
  .array(fc.integer({ min: -500, max: 500_000 }), { maxLength: 6 })
  .map((open) => open.map((it, i) => ({ id: `p${i}`, open: it / 100 })))
const sum = (shares: readonly Share[]) => shares.reduce((total, it) => total + Math.round(it.amount * 100), 0)

it('what is spread is the payment, or all that is open where that is less, and no plan gets more than is open', () => {
  fc.assert(
    fc.property(cents, plans, fc.option(fc.nat(5)), (paid, open, at) => {
      const chosen = at === null ? null : `p${at}`
      const shares = spread(paid / 100, chosen, open)
      const room = open.reduce((total, it) => total + Math.max(0, Math.round(it.open * 100)), 0)

      expect(sum(shares)).toBe(Math.min(paid, room))
      for (const { planId, amount } of shares) {
        expect(amount).toBeGreaterThan(0)
        expect(amount).toBeLessThanOrEqual(open.find(({ id }) => id === planId)?.open ?? 0)
      }
      const first = open.find(({ id, open: it }) => id === chosen && it > 0) ?? open.find((it) => it.open > 0)
      expect(shares[0]?.planId).toBe(first?.id)
    }),
  )
})

it('taking back leaves the beginning of the shares as they were', () => {
  fc.assert(
    fc.property(cents, plans, cents, (paid, open, back) => {
      const shares = spread(paid / 100, null, open)
      const left = takeBack(back / 100, shares)

      expect(sum(left)).toBe(Math.max(0, sum(shares) - back))
      expect(left.slice(0, -1)).toEqual(shares.slice(0, Math.max(0, left.length - 1)))
      expect(left.at(-1)?.planId).toBe(shares[left.length - 1]?.planId)
    }),
  )
})
