import type { Json } from '../../../../runtime/core/json.ts'
import { writtenTitle } from '../../../../runtime/core/page/page-title.ts'

/** The title a page says of itself; empty where it has none or makes it from data. */
export function pageTitle(document: Json): string {
  const title = writtenTitle(document)
  return title.includes('{{') ? '' : title
}
