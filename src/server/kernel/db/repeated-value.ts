import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** What the triggers of migration 0497 say to a value that may be there once and is there already. */
const REPEATED = 'OU001'

/** Refuses where an error of the database says that a value of a tenant's own field repeats; otherwise nothing happens. */
export function refuseRepeated(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === REPEATED && 'detail' in error)) return
  const { module, field, value } = JSON.parse(String(error.detail)) as Record<'module' | 'field', string> & {
    value: unknown
  }
  const message = text('own.repeated', { value: String(value) })
  const fields = { [field]: message, [`ext.${field}`]: message }
  refuse(409, 'DUPLICATE', message, { fields, detail: `${module}.${field}` })
}
