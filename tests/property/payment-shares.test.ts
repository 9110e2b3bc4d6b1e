import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deallocate, type Share, spread, spreadChosen } from '../../src/server/modules/contracts/spread.ts'

const cents = fc.integer({ min: 1, max: 1_000_000 })
const plans = fc
  .array(fc.integer({ min: -500, max: 500_000 }), { maxLength: 6 })
  .map((open) => open.map((it, i) => ({ id: `p${i}`, open: it / 100 })))
const sum = (shares: readonly Share[]) => shares.reduce((total, it) => total + Math.round(it.amount * 100), 0)

it('the assigned amount is the payment, or the open total if that is less, and no plan receives more than is open', () => {
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

it('a reversal keeps the first shares unchanged', () => {
  fc.assert(
    fc.property(cents, plans, cents, (paid, open, back) => {
      const shares = spread(paid / 100, null, open)
      const left = deallocate(back / 100, shares)

      expect(sum(left)).toBe(Math.max(0, sum(shares) - back))
      expect(left.slice(0, -1)).toEqual(shares.slice(0, Math.max(0, left.length - 1)))
      expect(left.at(-1)?.planId).toBe(shares[left.length - 1]?.planId)
    }),
  )
})

it('chosen shares come first, no plan receives more than is open, and the rest goes only to later plans', () => {
  const choice = fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 6 })
  fc.assert(
    fc.property(cents, plans, choice, (paid, open, wishes) => {
      const chosen = wishes.map((it, i) => ({ planId: `p${i}`, amount: it / 100 }))
      const wanted = Math.min(paid, sum(chosen))
      const shares = spreadChosen(paid / 100, chosen, wanted / 100, open)
      const room = (id: string) => Math.max(0, Math.round((open.find((it) => it.id === id)?.open ?? 0) * 100))

      for (const { planId, amount } of shares)
        expect(Math.round(amount * 100)).toBeLessThanOrEqual(room(planId))
      const offered = shares.filter(({ planId }) => chosen.some((it) => it.planId === planId))
      expect(sum(offered)).toBeLessThanOrEqual(wanted)
      if (sum(chosen) <= paid && wishes.every((it, i) => it <= room(`p${i}`)))
        expect(offered.filter(({ amount }) => amount > 0)).toEqual(chosen.filter(({ amount }) => amount > 0))
      const all = open.reduce((total, it) => total + room(it.id), 0)
      expect(sum(shares)).toBeGreaterThanOrEqual(Math.min(wanted, all))
    }),
  )
})
