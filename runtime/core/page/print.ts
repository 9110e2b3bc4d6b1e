import type { JsonObject } from '../json.ts'
import type { Page } from './page.ts'

/** The document of a page, unchanged: unknown keys, old spellings and fragment references are kept as stored. */
export function printPage(page: Page): JsonObject {
  return page.written
}
