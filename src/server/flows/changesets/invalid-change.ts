import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** @throws Refusal 400: the change is not written as its kind asks */
export const invalidChange = (detail: string): never =>
  refuse(400, 'VALIDATION', text('call.invalid'), { detail })
