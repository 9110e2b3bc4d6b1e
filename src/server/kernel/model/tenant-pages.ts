import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import {
  DERIVED_PAGES,
  type DerivedPage,
  type DerivedWords,
  derivePage,
  hasPage,
} from '../../../model/derive-pages.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { inversesOf } from '../../../model/inverse.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { withOwnRules } from '../../../model/own-rule.ts'
import { warnedFields, withQuestion } from '../../../model/repeat-question.ts'
import { type PageVersion, pageVersion } from '../pages/page-version.ts'
import { type Referred, resolveReferences } from '../pages/references.ts'
import { pageWords } from '../pages/referred.ts'
import { fileOf } from '../pages/served.ts'
import { text } from '../text/text.ts'
import { withInverseTabs } from './inverse-tabs.ts'
import type { TenantModel } from './library.ts'
import { createMention } from './mention.ts'
import { asOffered } from './own-index.ts'
import { ownModules, withOwnRights } from './own-rights.ts'
import { withOwnWidgets } from './own-widgets.ts'

const made = new WeakMap<TenantModel, Map<string, PageVersion>>()

/** A page of an own module; null if the tenant has no such module. It is built once as long as the tenant's modules are unchanged. */
export function derivedPage(name: string, kind: DerivedPage, model: TenantModel): PageVersion | null {
  const module = ownModules(model).find((one) => one.name === name)
  if (module === undefined || !hasPage(kind, module)) return null
  const path = `/pages/m/${name}/${kind}`
  const known = made.get(model) ?? new Map<string, PageVersion>()
  made.set(model, known)
  const isOwn = (other: string): boolean => model.modules.get(other)?.origin === 'tenant'
  const inverses = inversesOf(model.modules.values(), name)
  const version =
    known.get(path) ??
    pageVersion(
      path,
      asking(
        derivePage(kind, asOffered(module, model), derivedWords(), {
          isOwn,
          inverses,
          others: model.modules,
        }),
        model,
      ) as Json,
    )
  known.set(path, version)
  return version
}

/** All pages of own modules. */
export const derivedPages = (model: TenantModel): readonly PageVersion[] =>
  ownModules(model).flatMap(({ name }) =>
    DERIVED_PAGES.flatMap((kind) => derivedPage(name, kind, model) ?? []),
  )

const resolved = new WeakMap<Referred, WeakMap<PageVersion, PageVersion>>()
const refers = createMention(/"fragment":"/)

/** A page derived from a module, with its fragments inserted. */
export function resolvedPage(page: PageVersion, { modules }: TenantModel, referred: Referred): PageVersion {
  if (!refers(page.document as JsonObject)) return page
  const known = resolved.get(referred) ?? new WeakMap<PageVersion, PageVersion>()
  resolved.set(referred, known)
  const made = known.get(page) ?? resolve(page, { ...referred, module: (name) => modules.get(name) })
  known.set(page, made)
  return made
}

const resolve = (page: PageVersion, referred: Referred): PageVersion =>
  pageVersion(page.path, resolveReferences(page.document, fileOf(page.path), referred).document)

const filled = new WeakMap<TenantModel, WeakMap<PageVersion, PageVersion>>()

/**
 * A page of the product for a tenant: with the tenant's changes to its fields, own fields inserted, on a detail page the own records that refer to
 * it, and the permissions on own modules.
 */
export function filledPage(version: PageVersion, model: TenantModel): PageVersion {
  const known = filled.get(model) ?? new WeakMap<PageVersion, PageVersion>()
  filled.set(model, known)
  const page = known.get(version) ?? fill(version, model)
  known.set(version, page)
  return page
}

function fill(version: PageVersion, model: TenantModel): PageVersion {
  const { path, needLogin } = version
  const written = asSaid(version, model)
  const widgets = withOwnWidgets(written, model, derivedWords())
  const document = asking(withOwnRights(withInverseTabs(widgets, path, model, derivedWords()), model), model)
  return document === version.document ? version : { ...pageVersion(path, document), needLogin }
}

/** Modules with a field whose values may repeat after confirmation. */
export const warnedModules = ({ modules }: TenantModel): readonly MergedModule[] =>
  [...modules.values()].filter((module) => warnedFields(module).length > 0)

/** Adds to the page the question that is asked when a value repeats. */
function asking(document: JsonObject, model: TenantModel): JsonObject {
  const warned = new Set(
    warnedModules(model).map(({ name, origin }) => (origin === 'tenant' ? `m/${name}` : name)),
  )
  if (warned.size === 0) return document
  const isAsked = (url: string): boolean => warned.has(WRITES.exec(url)?.[1] ?? '')
  const question = { title: text('own.repeats-title'), content: '{{ error.message }}' }
  return withQuestion(document, isAsked, question)
}

const WRITES = /^\/mini\/((?:m\/)?\w+)\/(?:create|update)$/

/** The page with the tenant's changes to the product's fields: labels, help, requiredness, retirement. */
function asSaid({ document, byModules }: PageVersion, model: TenantModel): JsonObject {
  const names = [...(byModules?.modules ?? [])]
  const isChanged = names.some((name) => model.modules.get(name)?.fields.some((one) => one.changed === true))
  if (byModules === undefined || !isChanged) return document as JsonObject
  return byModules.documentFor((name) => shippedFields(model.modules.get(name))) as JsonObject
}

/** A module with only the product's fields: the tenant's own have separate places on a page. */
function shippedFields(module: MergedModule | undefined): ModuleDescription | undefined {
  if (module === undefined || module.origin === 'tenant') return undefined
  const own = new Set(module.fields.flatMap(({ name, origin }) => (origin === 'tenant' ? [name] : [])))
  const fields = module.fields
    .filter(({ origin }) => origin === 'vendor')
    .map((field) => withOwnRules(field, own))
  return { ...module, fields }
}

const words: DerivedWords = {
  ...pageWords(),
  new: text('derived.new'),
  follow: text('derived.follow'),
  writeFollow: text('derived.write-follow'),
  lapsed: text('derived.lapsed'),
  noFollow: text('derived.no-follow'),
  files: text('derived.files'),
  noFiles: text('derived.no-files'),
  transfer: text('derived.transfer'),
  transferTo: text('derived.transfer-to'),
  transferred: text('derived.transferred'),
  edit: text('derived.edit'),
  save: text('derived.save'),
  delete: text('derived.delete'),
  deleted: text('derived.deleted'),
  undo: text('derived.undo'),
  restored: text('derived.restored'),
  deleteTitle: text('derived.delete-title'),
  deleteAsk: text('derived.delete-ask'),
  all: text('derived.all'),
  mine: text('derived.mine'),
  team: text('derived.team'),
  filter: text('derived.filter'),
  clear: text('derived.clear'),
  export: text('derived.export'),
  exportBegun: text('derived.export-begun'),
  views: text('derived.views'),
  reset: text('derived.reset'),
  done: text('derived.done'),
  none: text('derived.none'),
  noneOf: text('derived.none-of'),
  sort: text('derived.sort'),
  sortBy: text('derived.sort-by'),
  newest: text('derived.newest'),
  search: text('derived.search'),
  lastDigits: text('derived.last-digits'),
  pinyin: text('derived.pinyin'),
  facts: text('derived.facts'),
  log: text('derived.log'),
  noLog: text('derived.no-log'),
  number: text('derived.number'),
  author: text('derived.author'),
  pick: text('derived.pick'),
  patch: text('derived.patch'),
  patchWhat: text('derived.patch-what'),
  transferAll: text('derived.transfer-all'),
  transferBegun: text('derived.transfer-begun'),
  deleteManyAsk: text('derived.delete-many-ask'),
  manyDone: text('derived.many-done'),
  result: text('derived.result'),
  resultHead: text('derived.result-head'),
  resultName: text('derived.result-name'),
  understood: text('derived.understood'),
  approval: text('derived.approval'),
  submit: text('derived.submit'),
  submitAsk: text('derived.submit-ask'),
  submitted: text('derived.submitted'),
  withdraw: text('derived.withdraw'),
  withdrawAsk: text('derived.withdraw-ask'),
  withdrawn: text('derived.withdrawn'),
  decide: text('derived.decide'),
  versions: text('derived.versions'),
  version: text('derived.version'),
  versionAsk: text('derived.version-ask'),
  versionBegun: text('derived.version-begun'),
  noVersions: text('derived.no-versions'),
  earlier: text('derived.earlier'),
  more: text('derived.more'),
  print: text('derived.print'),
  made: text('derived.made'),
  capitals: text('derived.capitals'),
}

/** The texts of derived pages. */
export const derivedWords = (): DerivedWords => words
