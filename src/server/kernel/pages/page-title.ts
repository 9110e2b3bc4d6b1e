import type { Json } from '../../../../runtime/core/json.ts'
import { writtenTitle } from '../../../../runtime/core/page/page-title.ts'

/** A title from data that says what stands there without them. */
const DEFAULT = /^\{\{[^{}]*\| *default:([^{}|]*)\}\}$/

/** The title in a page; empty if it has none or builds it from data alone. */
export function pageTitle(document: Json): string {
  const title = writtenTitle(document)
  const [, usual = ''] = DEFAULT.exec(title) ?? []
  return title.includes('{{') ? usual.trim() : title
}
