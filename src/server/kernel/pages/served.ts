import { type Json, sameJson } from '../../../../runtime/core/json.ts'
import { derivedAt } from '../../../model/derived/parts.ts'
import type { ModelOf } from '../../../model/references/named.ts'
import { checkPage } from './check.ts'
import { followedPage } from './followed.ts'
import type { WrittenPage } from './overrides.ts'
import { type PageVersion, pageVersion } from './page-version.ts'
import { type Referred, resolveReferences } from './references.ts'

/** The file in which a page with this path would be written. */
export const fileOf = (path: string): string => `schemas${path}.json`

/** The page that a document defines now, with references replaced. */
export function servedPage(path: string, content: Json, referred: Referred, open = false): PageVersion {
  const { document, modules } = resolveReferences(content, fileOf(path), referred)
  return { ...pageVersion(path, document, open), ...madeByModules(path, content, referred, modules) }
}

/** Builds the page for a tenant with changes to its modules. */
export function madeByModules(
  path: string,
  content: Json,
  referred: Referred,
  modules: ReadonlySet<string>,
): Pick<PageVersion, 'byModules'> {
  if (modules.size === 0) return {}
  const documentFor = (module: ModelOf): Json =>
    resolveReferences(content, fileOf(path), { ...referred, module, vendor: referred.module }).document
  return { byModules: { modules, documentFor } }
}

/** The tenant's version of a derived page follows its module as long as the result opens. */
function followsModule(
  { path, document: written, vendorDocument: base }: Published,
  { document }: PageVersion,
  referred: Referred,
): Pick<PageVersion, 'follows'> {
  const at = derivedAt(path)
  if (at === null || base === null) return {}
  const documentFor = (derived: Json): Json => {
    if (sameJson(base, derived)) return document
    const followed = followedPage(base, written, derived)
    const page = resolveReferences(followed, fileOf(path), referred).document
    return checkPage(page).some(({ severity }) => severity === 'error') ? document : page
  }
  return { follows: { ...at, documentFor } }
}

/** Maximum cached pages in served form, for all tenants together. */
const MAX_CACHED = 500

interface Marked extends Pick<WrittenPage, 'path' | 'etag'> {
  /** The version, where equal documents may have been published on top of different pages. */
  readonly of: string
}

type Published = Pick<WrittenPage, 'path' | 'document' | 'vendorDocument'>

/** Published pages in served form, built once per state of the files. */
export interface ServedPages {
  /** The page of that version; null if it was not built yet. */
  find(version: Marked): PageVersion | null
  make(version: Marked, written: Pick<WrittenPage, 'document' | 'vendorDocument'>): PageVersion
  /** Called when the files have changed. */
  forget(): void
}

export function createServedPages(referred: () => Referred): ServedPages {
  const cached = new Map<string, PageVersion>()
  const keyOf = ({ path, etag, of }: Marked): string => `${path} ${etag} ${of}`
  return {
    find: (version) => cached.get(keyOf(version)) ?? null,
    make(version, { document, vendorDocument }) {
      const { path } = version
      const resolved = servedPage(path, document, referred())
      const page = { ...resolved, ...followsModule({ path, document, vendorDocument }, resolved, referred()) }
      if (cached.size >= MAX_CACHED) cached.clear()
      cached.set(keyOf(version), page)
      return page
    },
    forget: () => cached.clear(),
  }
}
