import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'

/** Sums of opportunities as their reader may know them. */
export interface ShownSums {
  readonly count: number
  readonly amount: number | null
  readonly weighted: number | null
}

/**
 * How many opportunities there are and what they are worth; no worth for who does not see the amount of one (DOMAIN 2.3): a keyword or a filter
 * narrows a sum to a single record.
 */
export function shownSums(
  { count = 0, amount = 0, weighted = 0 }: Partial<Record<keyof ShownSums, number>>,
  { caller }: CallContext,
): ShownSums {
  const isKnown = (name: string) => isClear(caller, 'bussiness', name)
  return {
    count,
    amount: isKnown('amount') ? amount : null,
    weighted: isKnown('amount') && isKnown('weighted') ? weighted : null,
  }
}
