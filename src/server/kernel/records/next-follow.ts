import type { JsonObject } from '../../../../runtime/core/json.ts'
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

/** True if the date of the next follow-up has passed by the moment that the home page counts by; false for a reader who does not see it. */
export const isFollowOverdue = (date: unknown, shown: JsonObject, now: Date): boolean =>
  typeof shown.next_follow_at === 'string' && date instanceof Date && date < now
