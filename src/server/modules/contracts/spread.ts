import { centsOf, sumYuan, yuanOf } from '../../kernel/fields/money.ts'

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

/**
 * Spreads an amount as its author chose: first what each plan was to get, as far as it is open; then what those plans had no room for over
 * all, the oldest first. What they left out on purpose goes only to plans they were not offered, as they were made later.
 * @param chosen  what is still to come of each plan they were offered; 0: nothing
 * @param wanted  how much of the amount they want spread over plans, at most
 */
export function spreadChosen(
  amount: number,
  chosen: readonly Share[],
  wanted: number,
  plans: readonly OpenPlan[],
): readonly Share[] {
  const first: Share[] = []
  let left = Math.min(centsOf(amount), Math.max(0, centsOf(wanted)))
  const kept = centsOf(amount) - left
  for (const share of chosen) {
    const open = plans.find(({ id }) => id === share.planId)?.open ?? 0
    const taken = Math.min(left, Math.max(0, centsOf(share.amount)), Math.max(0, centsOf(open)))
    if (taken > 0) first.push({ planId: share.planId, amount: yuanOf(taken) })
    left -= taken
  }
  const others = spread(yuanOf(left), null, without(plans, first))
  const offered = new Set(chosen.map(({ planId }) => planId))
  const late = plans.filter(({ id }) => !offered.has(id))
  const rest = spread(yuanOf(kept), null, without(late, others))
  return joined(joined(first, others), rest)
}

/** What is open of the plans beside these shares. */
function without(plans: readonly OpenPlan[], shares: readonly Share[]): readonly OpenPlan[] {
  return plans.map(({ id, open }) => ({
    id,
    open: sumYuan([open, ...shares.filter(({ planId }) => planId === id).map((it) => -it.amount)]),
  }))
}

/** Each plan once, in the order it came up first. */
export function joined(before: readonly Share[], more: readonly Share[]): readonly Share[] {
  const plans = [...new Set([...before, ...more].map((share) => share.planId))]
  return plans.map((planId) => ({
    planId,
    amount: sumYuan([...before, ...more].filter((it) => it.planId === planId).map((it) => it.amount)),
  }))
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
