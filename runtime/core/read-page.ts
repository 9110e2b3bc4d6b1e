import { problem } from './errors.ts'
import { buildPage, type ParsedPage, type ParseOptions } from './page/parse.ts'

/**
 * Reads a page that our own server serves: it has judged it with {@link parsePage}, and the client does not do so again. A document that
 * is not built as one all the same (a damaged copy on the device) is one problem.
 *
 * @param input  the document or its JSON text; it is neither changed nor copied
 */
export function readPage(input: unknown, options: ParseOptions): ParsedPage {
  try {
    return buildPage(input, options, {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, problems: [problem('DOCUMENT_INVALID', '', { reason })] }
  }
}
