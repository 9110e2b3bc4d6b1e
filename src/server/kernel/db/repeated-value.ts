import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** The message of the triggers of migration 0497 for a unique value that already exists. */
const REPEATED = 'OU001'

/** Refuses if a database error says that a unique value of a tenant's own field exists already; otherwise does nothing. */
export function refuseRepeated(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === REPEATED && 'detail' in error)) return
  const { module, field, value } = JSON.parse(String(error.detail)) as Record<'module' | 'field', string> & {
    value: unknown
  }
  const message = text('own.repeated', { value: String(value) })
  const fields = { [field]: message, [`ext.${field}`]: message }
  refuse(409, 'DUPLICATE', message, { fields, detail: `${module}.${field}` })
}
