import { problem } from './errors.ts'
import { buildPage, type ParsedPage, type ParseOptions } from './page/parse.ts'

/**
 * Reads a page served by our own server: it has been checked with {@link parsePage} there, so the client does not repeat that. A document that
 * is malformed all the same (a damaged copy on the device) is one problem.
 *
 * @param document  neither changed nor copied
 */
export function readPage(document: unknown, options: ParseOptions): ParsedPage {
  try {
    return buildPage(document, options, {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, problems: [problem('DOCUMENT_INVALID', '', { reason })] }
  }
}
