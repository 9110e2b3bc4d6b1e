import type { ParsedPage, ParseOptions } from '../page/parse.ts'
import { buildPage } from '../page/parse.ts'
import { checkStructure } from '../page/structure.ts'
import { checkPage } from './check-page.ts'
import { checkReads } from './check-reads.ts'
import { checkShapes } from './check-shapes.ts'
import { checkWords } from './check-words.ts'
import { checkKnownNames, type KnownNames } from './known-names.ts'
import { withNearNames } from './near-names.ts'
import { checkCycles } from './rule-cycles.ts'

/**
 * Reads a page as its author hands it in: as `parsePage` does, and with what {@link checkWords} finds. Who opens a page is not held up by a
 * word that means nothing; who writes one is told of it.
 * @param known  names that stand outside the page
 */
export function parseStrictly(input: unknown, options: ParseOptions, known: KnownNames = {}): ParsedPage {
  const page = [
    withNearNames(checkPage),
    checkCycles,
    checkWords,
    checkShapes,
    withNearNames(checkReads(known.user)),
    checkKnownNames(known),
  ]
  return buildPage(input, options, { structure: checkStructure, page })
}
