import type { Json } from '../../../../runtime/core/json.ts'
import type { ModelOf } from '../../../model/references/named.ts'
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

/** Maximum cached pages in served form, for all tenants together. */
const MAX_CACHED = 500

type Marked = Pick<WrittenPage, 'path' | 'etag'>

/** Published pages in served form, built once per state of the files. */
export interface ServedPages {
  /** The page of that version; null if it was not built yet. */
  find(version: Marked): PageVersion | null
  make(written: Marked & Pick<WrittenPage, 'document'>): PageVersion
  /** Called when the files have changed. */
  forget(): void
}

export function createServedPages(referred: () => Referred): ServedPages {
  const cached = new Map<string, PageVersion>()
  const keyOf = ({ path, etag }: Marked): string => `${path} ${etag}`
  return {
    find: (version) => cached.get(keyOf(version)) ?? null,
    make(written) {
      const page = servedPage(written.path, written.document, referred())
      if (cached.size >= MAX_CACHED) cached.clear()
      cached.set(keyOf(written), page)
      return page
    },
    forget: () => cached.clear(),
  }
}
