import type { JsonObject } from '../../../runtime/core/json.ts'

/**
 * Judges the fields of a write with the form page its screen shows.
 * @returns message by field address; empty when the page has nothing against it
 */
export type FormCheck = (values: JsonObject) => Promise<Readonly<Record<string, string>>>
