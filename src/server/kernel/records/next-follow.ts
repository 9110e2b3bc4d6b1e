import type { CallContext } from '../context/call-context.ts'
import type { Faults } from '../fields/check-record.ts'
import type { InputValues } from '../fields/input.ts'
import { text } from '../text/text.ts'
import { labelOfField } from './described.ts'

/** A next follow-up is not planned in the past. */
export function pastFaults(module: string, { next_follow_at }: InputValues, ctx: CallContext): Faults {
  if (!(next_follow_at instanceof Date) || next_follow_at >= ctx.now) return {}
  return { next_follow_at: text('record.future', { label: labelOfField(module, 'next_follow_at', ctx) }) }
}
