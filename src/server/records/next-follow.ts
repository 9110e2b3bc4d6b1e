import { text } from '../text.ts'
import type { Asking } from './asking.ts'
import type { Faults } from './check-record.ts'
import { labelOfField } from './described.ts'
import type { InputValues } from './input.ts'

/** Nobody goes on with somebody in the past. */
export function pastFaults(module: string, { next_follow_at }: InputValues, asking: Asking): Faults {
  if (!(next_follow_at instanceof Date) || next_follow_at >= asking.now) return {}
  return { next_follow_at: text('record.future', { label: labelOfField(module, 'next_follow_at', asking) }) }
}
