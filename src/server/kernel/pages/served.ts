import type { Json } from '../../../../runtime/core/json.ts'
import type { ModelOf } from '../../../model/references/named.ts'
import type { Written } from './overrides.ts'
import { type PageVersion, pageVersion } from './page-version.ts'
import { type Referred, resolveReferences } from './references.ts'

/** The file in which a page of this path would be written. */
export const fileOf = (path: string): string => `schemas${path}.json`

/** A document as the page it makes now: what it refers to in place. */
export function servedPage(path: string, content: Json, referred: Referred, open = false): PageVersion {
  const { document, modules } = resolveReferences(content, fileOf(path), referred)
  return { ...pageVersion(path, document, open), ...madeByModules(path, content, referred, modules) }
}

/** How the page is made for a tenant that says something else of the modules in it. */
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

/** Published pages that are kept as they are served, of all tenants together. */
const KEPT_MOST = 500

type Marked = Pick<Written, 'path' | 'etag'>

/** Published pages as they are served, made once for the files as they are. */
export interface ServedPages {
  /** The page of that version; null when it was not made yet. */
  find(version: Marked): PageVersion | null
  make(written: Marked & Pick<Written, 'document'>): PageVersion
  /** The files are others now. */
  forget(): void
}

export function createServedPages(referred: () => Referred): ServedPages {
  const kept = new Map<string, PageVersion>()
  const keyOf = ({ path, etag }: Marked): string => `${path} ${etag}`
  return {
    find: (version) => kept.get(keyOf(version)) ?? null,
    make(written) {
      const page = servedPage(written.path, written.document, referred())
      if (kept.size >= KEPT_MOST) kept.clear()
      kept.set(keyOf(written), page)
      return page
    },
    forget: () => kept.clear(),
  }
}
