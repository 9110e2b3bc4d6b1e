import type { JsonObject } from '../../../runtime/core/json.ts'
import type { PageLibrary } from '../pages/library.ts'
import type { Asking } from '../records/asking.ts'

/**
 * Judges the fields of a write with the form page its screen shows.
 * @returns message by field address; empty when the page has nothing against it
 */
export type FormCheck = (values: JsonObject) => Promise<Readonly<Record<string, string>>>

export function validateWithPage(_pages: PageLibrary, _formPath: string, _asking: Asking): FormCheck {
  return async () => ({})
}
