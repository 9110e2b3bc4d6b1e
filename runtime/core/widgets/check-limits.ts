import { type Json, sameJson } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'

/** Minimum and maximum number of chosen items; a `max` of 0 means none. */
export interface CheckLimits {
  readonly min: number
  readonly max: number
}

/** True if the item cannot be tapped: disabled itself, or chosen while only `min` are, or not chosen while `max` are. */
export function isLocked(item: OptionItem, chosen: readonly Json[], { min, max }: CheckLimits): boolean {
  if (item.disabled === true) return true
  const isChosen = chosen.some((one) => sameJson(one, item.value))
  return isChosen ? chosen.length <= min : max > 0 && chosen.length >= max
}
