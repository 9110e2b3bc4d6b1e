/** Steps that all rules and patterns may take for one turn of the page (a keystroke) or one submission: about 0.1 s of a desktop. */
export const TURN_STEPS = 200_000

/** What may still be spent; below zero it is over, and stays so. */
export interface Budget {
  left: number
}

/** Spent more than there was. */
export class OverBudget extends RangeError {}

export function createBudget(steps = TURN_STEPS): Budget {
  return { left: steps }
}

export const isOver = (budget: Budget): boolean => budget.left < 0

/* What runs here runs to its end before anything else does, so there is one budget in force at a time. */
let inForce: Budget | undefined

/** Runs `task` on a budget; inside of another one's task that one goes on counting: many small budgets are no large one. */
export function spending<T>(budget: Budget, task: () => T): T {
  if (inForce !== undefined) return task()
  inForce = budget
  try {
    return task()
  } finally {
    inForce = undefined
  }
}

/** Counts steps. @throws OverBudget when they are more than were left, and ever after */
export function spend(steps: number): void {
  if (inForce === undefined) return
  inForce.left -= steps
  if (inForce.left < 0)
    throw new OverBudget(`the rules of one turn of the page take more than ${TURN_STEPS} steps`)
}

/** What is left in the budget in force; infinity outside of any. */
export const leftToSpend = (): number =>
  inForce === undefined ? Number.POSITIVE_INFINITY : Math.max(0, inForce.left)
