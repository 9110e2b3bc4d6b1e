import type { ParsedPage, ParseOptions } from '../page/parse.ts'
import { buildPage } from '../page/parse.ts'
import { PARSING } from '../page/parsing.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkPage } from './check-page.ts'
import { checkReads } from './check-reads.ts'
import { checkShapes } from './check-shapes.ts'
import { checkValues } from './check-values.ts'
import { checkWords } from './check-words.ts'
import { checkKnownNames, type KnownNames } from './known-names.ts'
import { withNearNames } from './near-names.ts'
import { checkCycles } from './rule-cycles.ts'

/**
 * Reads a page as submitted by its author: like `parsePage`, with the findings of {@link checkWords}. Unknown words do not prevent users from opening
 * a
 * page, but authors are told of them.
 *
 * @param known  names defined outside the page
 */
export function parseStrictly(input: unknown, options: ParseOptions, known: KnownNames = {}): ParsedPage {
  const page = [
    withNearNames(checkPage),
    checkCycles,
    checkWords,
    checkShapes,
    checkValues,
    checkAddresses,
    withNearNames(checkReads(known.user)),
    checkKnownNames(known),
  ]
  return buildPage(input, options, { ...PARSING, page })
}
