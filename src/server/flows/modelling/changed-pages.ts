import type { JsonObject } from '../../../../runtime/core/json.ts'
import { DERIVED_PAGES } from '../../../model/derive-pages.ts'
import { changedModules } from '../../kernel/model/cached-by-model.ts'
import { detailModule } from '../../kernel/model/inverse-tabs.ts'
import type { TenantModel } from '../../kernel/model/library.ts'
import { takesOwnRights } from '../../kernel/model/own-rights.ts'
import { placedModules } from '../../kernel/model/own-widgets.ts'
import { derivedPage, filledPage, warnedModules } from '../../kernel/model/tenant-pages.ts'
import type { PageVersion } from '../../kernel/pages/page-version.ts'

/** A page that has changed; without an etag it no longer exists. */
export interface ChangedPage {
  readonly path: string
  readonly etag: string | null
}

/**
 * The pages that a change of the model affects. Only candidates are built: pages that name a changed module or a related one. @param pages  those of
 * the product and those the tenant published
 */
export function changedPages(
  pages: readonly PageVersion[],
  before: TenantModel,
  after: TenantModel,
): readonly ChangedPage[] {
  const touched = touchedModules(before, after)
  if (touched.size === 0) return []
  const isConcerned = concernedBy(touched, before, after)
  const concerned = pages.filter(isConcerned)
  const versionsBy = (model: TenantModel): ReadonlyMap<string, string> =>
    new Map(
      [...concerned.map((page) => filledPage(page, model)), ...derivedOf(touched, model)].map(
        ({ path, etag }) => [path, etag],
      ),
    )
  const was = versionsBy(before)
  const is = versionsBy(after)
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => was.get(path) !== is.get(path))
    .map((path) => ({ path, etag: is.get(path) ?? null }))
}

/** Candidates among the pages of the product: by what they use of modules, see `filledPage`. */
function concernedBy(
  touched: ReadonlySet<string>,
  before: TenantModel,
  after: TenantModel,
): (page: PageVersion) => boolean {
  const all = [before, after].flatMap(({ modules }) => [...modules.values()])
  const mine = all.filter(({ name }) => touched.has(name))
  const [were, are] = [new Set(warnedModules(before)), new Set(warnedModules(after))]
  const changed = [...touched].filter((name) => were.has(name) !== are.has(name))
  const isOwn = mine.some(({ origin }) => origin === 'tenant')
  const isTouched = (names: ReadonlySet<string> | undefined): boolean =>
    names !== undefined && [...touched].some((name) => names.has(name))
  const isDetail = (document: JsonObject, path: string, model: TenantModel): boolean =>
    touched.has(detailModule(document, path, model)?.name ?? '')
  return (page) => {
    const document = page.document as JsonObject
    const words = wordsOf(page, document)
    return (
      isDetail(document, page.path, before) ||
      isDetail(document, page.path, after) ||
      touched.has(page.follows?.module ?? '') ||
      isTouched(page.byModules?.modules) ||
      isTouched(placedModules(document)) ||
      (isOwn && takesOwnRights(document)) ||
      changed.some((name) => words.has(name))
    )
  }
}

/** Changed modules, those that refer to them, and those they refer to. */
function touchedModules(before: TenantModel, after: TenantModel): ReadonlySet<string> {
  const names = new Set([...before.modules.keys(), ...after.modules.keys()])
  const changed = changedModules(before, after)
  const all = [...before.modules.values(), ...after.modules.values()]
  const related = all.flatMap((module) => {
    const named = [...wordsOf(module, module)].filter((word) => names.has(word))
    if (changed.has(module.name)) return named
    return named.some((name) => changed.has(name)) ? [module.name] : []
  })
  return new Set([...changed, ...related])
}

const derivedOf = (names: ReadonlySet<string>, model: TenantModel): readonly PageVersion[] =>
  [...names].flatMap((name) => DERIVED_PAGES.flatMap((kind) => derivedPage(name, kind, model) ?? []))

const words = new WeakMap<object, ReadonlySet<string>>()

/** All words of a page's document or of a module, cached. */
function wordsOf(holder: object, value: unknown): ReadonlySet<string> {
  const known = words.get(holder) ?? new Set(JSON.stringify(value).match(/\w+/g))
  words.set(holder, known)
  return known
}
