import { type Json, sameJson } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'

/** How many items of a checklist must and may be chosen; `max` 0 is none. */
export interface CheckLimits {
  readonly min: number
  readonly max: number
}

/**
 * True when the item cannot be tapped: disabled by itself, or chosen while no more than `min` are, or not chosen while
 * `max` are.
 */
export function isLocked(item: OptionItem, chosen: readonly Json[], { min, max }: CheckLimits): boolean {
  if (item.disabled === true) return true
  const isChosen = chosen.some((one) => sameJson(one, item.value))
  return isChosen ? chosen.length <= min : max > 0 && chosen.length >= max
}
