import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** @throws Refusal 400: the change does not have the shape of its kind */
export const invalidChange = (detail: string): never =>
  refuse(400, 'VALIDATION', text('call.invalid'), { detail })
