import type { JsonObject } from '../json.ts'
import type { Page } from './page.ts'

/** The document of a page, without loss: unknown keys, old spellings and fragment references are as they were stored. */
export function printPage(page: Page): JsonObject {
  return page.written
}
