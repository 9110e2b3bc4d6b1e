import { createRegistry, parsePage, parseStrictly } from '../../../../runtime/core/index.ts'
import type { CheckPage } from './load.ts'

const registry = createRegistry()

/** Whether a document opens as a page: the same check as the client's. */
export const checkPage: CheckPage = (document) => {
  const parsed = parsePage(document, { registry })
  return parsed.ok ? parsed.warnings : parsed.problems
}

/** What its author is told of a document: also of words that mean nothing. */
export const checkStrictly: CheckPage = (document) => {
  const parsed = parseStrictly(document, { registry })
  return parsed.ok ? parsed.warnings : parsed.problems
}
