/** Maximum steps of all rules and patterns for one turn of the page (a keystroke) or one submission: about 0.1 s on a desktop. */
export const STEP_BUDGET = 200_000

/** The remaining steps; once below zero, the budget is exhausted. */
export interface Budget {
  left: number
}

/** Thrown when a budget is exhausted. */
export class OverBudget extends RangeError {}

export function createBudget(steps = STEP_BUDGET): Budget {
  return { left: steps }
}

export const isOver = (budget: Budget): boolean => budget.left < 0

/* Code here runs synchronously to its end, so only one budget is in force at a time. */
let inForce: Budget | undefined

/** Runs `task` with a budget; inside another task with a budget, that budget keeps counting, so that nesting cannot increase the total. */
export function spending<T>(budget: Budget, task: () => T): T {
  if (inForce !== undefined) return task()
  inForce = budget
  try {
    return task()
  } finally {
    inForce = undefined
  }
}

/** Counts steps. @throws OverBudget if there are not enough left, and at every later call */
export function spend(steps: number): void {
  if (inForce === undefined) return
  inForce.left -= steps
  if (inForce.left < 0)
    throw new OverBudget(`the rules of one turn of the page take more than ${STEP_BUDGET} steps`)
}

/** The remaining steps of the budget in force; infinity without one. */
export const leftToSpend = (): number =>
  inForce === undefined ? Number.POSITIVE_INFINITY : Math.max(0, inForce.left)
