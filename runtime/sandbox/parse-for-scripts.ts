import type { JsonObject } from '../core/json.ts'
import type { Page } from '../core/page/page.ts'
import { buildPage } from '../core/page/parse.ts'
import { createRegistry } from '../core/widgets/index.ts'

const registry = createRegistry()

/**
 * The page of the replica: the same parser as the page's own, without the checks, which the page has passed already. @throws if the document cannot
 * be parsed (it was never opened as a page)
 */
export function parseForScripts(document: JsonObject): Page {
  const parsed = buildPage(document, { registry }, {})
  if (!parsed.ok) throw new Error(parsed.problems.map(({ code, at }) => `${code} at ${at}`).join(', '))
  return parsed.page
}
