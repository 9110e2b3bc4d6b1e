import { checkPage } from './check/check-page.ts'
import { checkCycles } from './check/rule-cycles.ts'
import { buildPage, type ParsedPage, type ParseOptions } from './page/parse.ts'
import { PARSING } from './page/parsing.ts'

export type { ParsedPage, ParseOptions } from './page/parse.ts'

/**
 * Reads a page document, ours or plain VForm (PAGE-FORMAT). Never throws, whatever is handed in.
 *
 * @param input  the document or its JSON text; it is neither changed nor copied
 * @returns the page with its warnings, or every problem found, each at a JSON pointer that exists in `input`. Bounds: 2 MiB,
 * 64 levels and 5,000 widgets unless `limits` says otherwise
 */
export function parsePage(input: unknown, options: ParseOptions): ParsedPage {
  return buildPage(input, options, { ...PARSING, page: [checkPage, checkCycles] })
}
