import type { KnownNames } from '../../../../runtime/core/check/known-names.ts'
import type { Problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CheckPage } from './check.ts'
import { etagOf, type PageVersion, pageVersion } from './page-version.ts'
import type { JsonFile } from './read-files.ts'
import { type Origin, type Referred, resolveReferences } from './references.ts'
import { referredFrom } from './referred.ts'
import { keyOfNames } from './remembered-check.ts'
import { madeByModules } from './served.ts'

/** A page with references replaced, and all its problems, where they were written. */
export interface CheckedPage {
  readonly document: Json
  readonly files: ReadonlySet<string>
  readonly modules: ReadonlySet<string>
  readonly problems: readonly (Problem & Origin)[]
}

/** The page that a file makes. */
interface MadePage extends CheckedPage {
  readonly page: PageVersion
}

type Files = ReadonlyMap<string, JsonFile>

/** Builds pages from files that share fragments, modules and permitted names. */
export interface PageMaker {
  readonly referred: Referred
  /** @param open  its route needs no session */
  make(path: string, file: JsonFile & { readonly content: Json }, open: boolean): MadePage
}

/** The inputs of a page, and the page. */
interface CachedPage {
  readonly key: string
  readonly made: MadePage
}

/** More than any folder contains: beyond it, everything is dropped, including paths that no longer exist. */
const MAX_CACHED = 2_000

/** By checker and path: the last result. */
const all = new WeakMap<CheckPage, Map<string, CachedPage>>()
let last: { readonly key: string; readonly referred: Referred } | null = null

/** Equal inputs give the same page, which is built once in this process. When one page changes, the hundred others are not built again. */
export function pageMaker(fragments: Files, modules: Files, check: CheckPage, known: KnownNames): PageMaker {
  const parts = etagOf(
    [...fragments.values(), ...modules.values()].map(({ file, text = '' }) => [file, text]),
  )
  const referred = last?.key === parts ? last.referred : referredFrom(fragments, modules)
  last = { key: parts, referred }
  const names = keyOfNames(known)
  const cached = all.get(check) ?? new Map<string, CachedPage>()
  all.set(check, cached)
  return {
    referred,
    make(path, { file, content, text = '' }, open) {
      const key = etagOf([file, text, open, parts, names])
      const before = cached.get(path)
      if (before?.key === key) return before.made
      const checked = checkedPage(content, file, referred, (one) => check(one, known))
      const page = {
        ...pageVersion(path, checked.document, open),
        ...madeByModules(path, content, referred, checked.modules),
      }
      const entry = { ...checked, page }
      if (cached.size >= MAX_CACHED) cached.clear()
      cached.set(path, { key, made: entry })
      return entry
    },
  }
}

/** A page with references replaced. */
export interface ResolvedPage extends Omit<CheckedPage, 'problems'> {
  /** Problems of its references, and these of the page as it is now, where they were written. */
  problemsWith(found: readonly Problem[]): CheckedPage['problems']
}

export function resolvedPage(content: Json, file: string, referred: Referred): ResolvedPage {
  const { document, problems, files, modules, originOf } = resolveReferences(content, file, referred)
  return {
    document,
    files,
    modules,
    problemsWith: (found) => [...problems, ...found.map((one) => ({ ...one, ...originOf(one.at) }))],
  }
}

/** The page with references replaced, and all its problems, where they were written. */
export function checkedPage(content: Json, file: string, referred: Referred, check: CheckPage): CheckedPage {
  const { problemsWith, ...page } = resolvedPage(content, file, referred)
  return { ...page, problems: problemsWith(check(page.document)) }
}
