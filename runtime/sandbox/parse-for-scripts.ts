import type { JsonObject } from '../core/json.ts'
import type { Page } from '../core/page/page.ts'
import { buildPage } from '../core/page/parse.ts'
import { createRegistry } from '../core/widgets/index.ts'

const registry = createRegistry()

/**
 * The replica's page: the same parser as the page's own, without its checks, which the page has passed already.
 * A document that cannot be read (it was never opened as a page) throws.
 */
export function parseForScripts(document: JsonObject): Page {
  const parsed = buildPage(document, { registry }, {})
  if (!parsed.ok) throw new Error(parsed.problems.map(({ code, at }) => `${code} at ${at}`).join(', '))
  return parsed.page
}
