import { OverBudget } from '../budget.ts'
import type { RuleBound } from '../model/node-state.ts'
import type { ScriptReport } from '../ports.ts'

type Listener = (report: ScriptReport) => void

/** Reports to the author of a page about its code and rules. */
export interface Reports {
  readonly tell: Listener
  /** A rule has no result. Reported once per rule, and once if the turn of the page had no steps left. */
  readonly tellBound: (bound: RuleBound) => void
  /** Also receives earlier reports: a page's first turn is over when it is created. */
  readonly subscribe: (listener: Listener) => () => void
}

export function createReports(): Reports {
  const listeners = new Set<Listener>()
  const early: ScriptReport[] = []
  const bounds = new Set<string>()
  const publish = (report: ScriptReport): void => {
    if (listeners.size === 0) early.push(report)
    for (const listener of listeners) listener(report)
  }
  return {
    tell: publish,
    tellBound({ rule, key, error }) {
      const bound = error instanceof OverBudget ? error.message : `${rule} of ${key}`
      if (bounds.has(bound)) return
      bounds.add(bound)
      publish({ hook: rule, key, code: 'RULE_BUDGET', message: error.message, stopped: false })
    },
    subscribe(listener) {
      listeners.add(listener)
      for (const report of early.splice(0)) listener(report)
      return () => listeners.delete(listener)
    },
  }
}
