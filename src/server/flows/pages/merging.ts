import { textWith } from '../../../../runtime/core/edit/edit-text.ts'
import { withFreeNames } from '../../../../runtime/core/edit/free-names.ts'
import { type MergeConflict, mergePages } from '../../../../runtime/core/edit/merge-pages.ts'
import { wideJson } from '../../../../runtime/core/edit/wide-json.ts'
import { type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { ShippedPage } from '../../kernel/pages/library.ts'
import { findWritten, type WrittenPage } from '../../kernel/pages/overrides.ts'
import { text } from '../../kernel/text/text.ts'
import { changesBetween, referenceLabels, wordFor, wordsOf } from './changes.ts'
import { bothSides, refuseUnknown } from './versions.ts'

/** A page, and its text where it has one of its own. */
interface Mine {
  readonly document: Json
  readonly text?: string | null
}

/** What both sides made of a page; `revision` is the base to publish it with. */
function mergedAnswer(
  base: Json,
  { document: mine, text: written }: Mine,
  theirs: Json,
  revision: number,
): JsonObject {
  const { document, conflicts } = mergePages(base, withFreeNames(base, mine, theirs), theirs)
  return {
    document,
    text: written == null ? wideJson(document) : textWith(written, mine, document),
    revision,
    clashes: conflicts.map(conflictWords).join('\n'),
    conflicts: conflicts.map((conflict) => ({
      ...(conflict as object),
      text: conflictWords(conflict),
    })) as unknown as Json,
  }
}

function conflictWords({ title, what }: MergeConflict): string {
  const name = title === '' ? text('page.clash.page') : title
  if (what === 'removed' || what === 'place' || what === 'order') return text(`page.clash.${what}`, { name })
  return text('page.clash.value', { name, what: wordFor(what) })
}

/** The caller's document with what was published since they began: where both say something else, theirs stands. */
export async function mergeWithCurrent(
  { path, base, ...mine }: Mine & { readonly path: string; readonly base: number },
  { trx, caller }: CallContext,
  pages: Services['pages'],
): Promise<Json> {
  const sides = await bothSides(path, base, trx, caller.tenantId, pages)
  const { revision, document: theirs = null, baseDocument = null } = sides
  if (theirs === null) refuseUnknown()
  return mergedAnswer(baseDocument ?? theirs, mine, theirs, Number(revision))
}

/** True when the product's page is another one than when the tenant's was published. */
export const isOutgrown = (
  written: Pick<WrittenPage, 'vendorDocument'>,
  shipped: ShippedPage | null,
): boolean =>
  shipped !== null && written.vendorDocument !== null && !sameJson(written.vendorDocument, shipped.document)

/** True when a document holds all that came with the product since the tenant's page before it, and nothing of that is open. */
export function hasTakenIn(document: Json, before: WrittenPage | null, shipped: ShippedPage): boolean {
  if (before === null || before.vendorDocument === null || !isOutgrown(before, shipped)) return true
  const merged = mergePages(before.vendorDocument, document, shipped.document)
  return merged.conflicts.length === 0 && sameJson(merged.document, document)
}

/** What came with the product since a tenant's page was published: in words, and both together, to be published if it is right. */
export async function upgradeOf(
  path: string,
  { trx, caller }: CallContext,
  { pages, modules: library }: Pick<Services, 'pages' | 'modules'>,
): Promise<Json> {
  const shipped = await pages.shipped(trx, caller.tenantId, path)
  const written = await findWritten(trx, caller.tenantId, path)
  if (shipped === null && written === null) refuseUnknown()
  if (written === null || shipped === null || !isOutgrown(written, shipped)) return { pending: false }
  const { vendorDocument, revision } = written
  const { modules } = await library.of(trx, caller.tenantId)
  const labels = referenceLabels(modules, pages.fragments())
  const changes = wordsOf(changesBetween(vendorDocument, shipped.document, labels))
  return {
    pending: true,
    changes,
    words: changes.join('\n'),
    baseDocument: vendorDocument,
    vendorDocument: shipped.document,
    vendorEtag: shipped.etag,
    ...mergedAnswer(vendorDocument, written, shipped.document, revision),
  }
}
