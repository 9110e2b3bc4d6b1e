import { centsOf, sumYuan, yuanOf } from '../../kernel/fields/money.ts'

/** A plan as the assignment of payments sees it. Lists of plans are in the order of payment: oldest first. */
export interface OpenPlan {
  readonly id: string
  /** The open amount in yuan; 0 or less: fully paid. */
  readonly open: number
}

/** The part of a payment that is assigned to a plan, in yuan, above 0. */
export interface Share {
  readonly planId: string
  readonly amount: number
}

/**
 * Spreads an amount over the chosen plan and then over the others, each up to its open amount.
 * @returns the shares in that order; what exceeds all plans is in none of them
 */
export function spread(amount: number, chosen: string | null, plans: readonly OpenPlan[]): readonly Share[] {
  const first = plans.filter(({ id }) => id === chosen)
  const shares: Share[] = []
  let remaining = centsOf(amount)
  for (const { id, open } of [...first, ...plans.filter((plan) => !first.includes(plan))]) {
    const portion = Math.min(remaining, Math.max(0, centsOf(open)))
    if (portion > 0) shares.push({ planId: id, amount: yuanOf(portion) })
    remaining -= portion
  }
  return shares
}

/**
 * Spreads an amount as its author chose: first the chosen amount of each plan, up to what is open; then what those plans could not take over all
 * plans, the oldest first. What the author left unassigned on purpose goes only to plans created later, which they were not offered.
 * @param chosen  the remaining chosen amount of each offered plan; 0: none
 * @param wanted  maximum part of the amount that the author wants assigned
 */
export function spreadChosen(
  amount: number,
  chosen: readonly Share[],
  wanted: number,
  plans: readonly OpenPlan[],
): readonly Share[] {
  const first: Share[] = []
  let remaining = Math.min(centsOf(amount), Math.max(0, centsOf(wanted)))
  const assigned = centsOf(amount) - remaining
  for (const share of chosen) {
    const open = plans.find(({ id }) => id === share.planId)?.open ?? 0
    const portion = Math.min(remaining, Math.max(0, centsOf(share.amount)), Math.max(0, centsOf(open)))
    if (portion > 0) first.push({ planId: share.planId, amount: yuanOf(portion) })
    remaining -= portion
  }
  const others = spread(yuanOf(remaining), null, without(plans, first))
  const offered = new Set(chosen.map(({ planId }) => planId))
  const unoffered = plans.filter(({ id }) => !offered.has(id))
  const rest = spread(yuanOf(assigned), null, without(unoffered, others))
  return joined(joined(first, others), rest)
}

/** The plans with their open amounts after these shares. */
function without(plans: readonly OpenPlan[], shares: readonly Share[]): readonly OpenPlan[] {
  return plans.map(({ id, open }) => ({
    id,
    open: sumYuan([open, ...shares.filter(({ planId }) => planId === id).map((share) => -share.amount)]),
  }))
}

/** Both lists with one share per plan, in the order of first appearance. */
export function joined(before: readonly Share[], more: readonly Share[]): readonly Share[] {
  const plans = [...new Set([...before, ...more].map((share) => share.planId))]
  return plans.map((planId) => ({
    planId,
    amount: sumYuan([...before, ...more].filter((it) => it.planId === planId).map((it) => it.amount)),
  }))
}

/** The shares that remain when an amount is taken back: the last share is reduced first. */
export function deallocate(amount: number, shares: readonly Share[]): readonly Share[] {
  let remaining = centsOf(amount)
  const retained = [...shares].reverse().flatMap((share): readonly Share[] => {
    const portion = Math.min(remaining, centsOf(share.amount))
    remaining -= portion
    return portion < centsOf(share.amount)
      ? [{ ...share, amount: yuanOf(centsOf(share.amount) - portion) }]
      : []
  })
  return retained.reverse()
}
