import { centsOf, yuanOf } from '../contracts/money.ts'

/** A plan as far as money goes. In the order in which plans are paid: oldest first. */
export interface OpenPlan {
  readonly id: string
  /** Yuan that are still to come; 0 and less: nothing. */
  readonly open: number
}

/** What of a payment counts for a plan, in yuan above 0. */
export interface Share {
  readonly planId: string
  readonly amount: number
}

/**
 * Spreads an amount over the plan that was chosen and then over the others, each as far as it is open.
 * @returns the shares in that order; what no plan has room for is in none
 */
export function spread(amount: number, chosen: string | null, plans: readonly OpenPlan[]): readonly Share[] {
  const first = plans.filter(({ id }) => id === chosen)
  const shares: Share[] = []
  let left = centsOf(amount)
  for (const { id, open } of [...first, ...plans.filter((plan) => !first.includes(plan))]) {
    const taken = Math.min(left, Math.max(0, centsOf(open)))
    if (taken > 0) shares.push({ planId: id, amount: yuanOf(taken) })
    left -= taken
  }
  return shares
}

/** The shares that are left when an amount is taken back: the last one goes first. */
export function takeBack(amount: number, shares: readonly Share[]): readonly Share[] {
  let left = centsOf(amount)
  const kept = [...shares].reverse().flatMap((share): readonly Share[] => {
    const taken = Math.min(left, centsOf(share.amount))
    left -= taken
    return taken < centsOf(share.amount) ? [{ ...share, amount: yuanOf(centsOf(share.amount) - taken) }] : []
  })
  return kept.reverse()
}
