import { OverBudget } from '../budget.ts'
import type { RuleBound } from '../model/node-state.ts'
import type { ScriptReport } from '../ports.ts'

type Listener = (report: ScriptReport) => void

/** What the author of a page is told about its code and rules. */
export interface Reports {
  readonly tell: Listener
  /** A rule has no answer. Told once for each rule, and once where it was the turn of the page that had no steps left. */
  readonly tellBound: (bound: RuleBound) => void
  /** Also hears what was told before anybody listened: a page's first turn is over when it is made. */
  readonly subscribe: (listener: Listener) => () => void
}

export function createReports(): Reports {
  const listeners = new Set<Listener>()
  const early: ScriptReport[] = []
  const bounds = new Set<string>()
  const tell = (report: ScriptReport): void => {
    if (listeners.size === 0) early.push(report)
    for (const listener of listeners) listener(report)
  }
  return {
    tell,
    tellBound({ rule, key, error }) {
      const bound = error instanceof OverBudget ? error.message : `${rule} of ${key}`
      if (bounds.has(bound)) return
      bounds.add(bound)
      tell({ hook: rule, key, code: 'RULE_BUDGET', message: error.message, stopped: false })
    },
    subscribe(listener) {
      listeners.add(listener)
      for (const report of early.splice(0)) listener(report)
      return () => listeners.delete(listener)
    },
  }
}
