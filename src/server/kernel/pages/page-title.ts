import type { Json } from '../../../../runtime/core/json.ts'
import { writtenTitle } from '../../../../runtime/core/page/page-title.ts'

/** The title in a page; empty if it has none or builds it from data. */
export function pageTitle(document: Json): string {
  const title = writtenTitle(document)
  return title.includes('{{') ? '' : title
}
