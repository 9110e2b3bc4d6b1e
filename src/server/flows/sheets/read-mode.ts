import type { JsonObject } from '../../../../runtime/core/json.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** How rows with an existing record are handled. */
export function modeOf({ mode = 'skip' }: JsonObject): 'skip' | 'update' {
  if (mode === 'skip' || mode === 'update') return mode
  return refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'mode' })
}
