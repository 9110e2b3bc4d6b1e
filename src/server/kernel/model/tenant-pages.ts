import type { JsonObject } from '../../../../runtime/core/json.ts'
import {
  DERIVED_PAGES,
  type DerivedPage,
  type DerivedWords,
  derivePage,
  hasPage,
} from '../../../model/derive-pages.ts'
import { isMadeOfOthers } from '../../../model/derived/convert.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { withOwnRules } from '../../../model/own-rule.ts'
import { warnedFields, withQuestion } from '../../../model/repeat-question.ts'
import { type PageVersion, pageVersion } from '../pages/page-version.ts'
import { type Referred, resolveReferences } from '../pages/references.ts'
import { pageWords } from '../pages/referred.ts'
import { fileOf } from '../pages/served.ts'
import { text } from '../text/text.ts'
import { cachedByModel, summaryOfModules } from './cached-by-model.ts'
import { inversesIn, withInverseTabs } from './inverse-tabs.ts'
import type { TenantModel } from './library.ts'
import { createMention } from './mention.ts'
import { asOffered } from './own-index.ts'
import { ownModules, withOwnRights } from './own-rights.ts'
import { withOwnWidgets } from './own-widgets.ts'

/** A page of an own module; null if the tenant has no such module. */
export function derivedPage(name: string, kind: DerivedPage, model: TenantModel): PageVersion | null {
  const module = model.modules.get(name)
  return module?.origin === 'tenant' && hasPage(kind, module) ? derived[kind](module, model) : null
}

const derivedOf = (kind: DerivedPage) =>
  cachedByModel((module: MergedModule, model) => {
    const { name } = module
    const page = derivePage(kind, asOffered(module, model), derivedWords(), {
      isOwn: (other) => model.modules.get(other)?.origin === 'tenant',
      isMade: isMade(model, name),
      inverses: inversesIn(model, name),
      others: model.modules,
    })
    return pageVersion(`/pages/m/${name}/${kind}`, ctx(page, model))
  })

const derived: Readonly<Record<DerivedPage, (module: MergedModule, model: TenantModel) => PageVersion>> = {
  index: derivedOf('index'),
  detail: derivedOf('detail'),
  add: derivedOf('add'),
  print: derivedOf('print'),
  pool: derivedOf('pool'),
}

const isMade = summaryOfModules(({ modules }, name) => isMadeOfOthers({ name }, modules))

/** All pages of own modules. */
export const derivedPages = (model: TenantModel): readonly PageVersion[] =>
  ownModules(model).flatMap(({ name }) =>
    DERIVED_PAGES.flatMap((kind) => derivedPage(name, kind, model) ?? []),
  )

const resolved = new WeakMap<Referred, (page: PageVersion, model: TenantModel) => PageVersion>()
const refers = createMention(/"fragment":"/)

/** A page derived from a module, with its fragments inserted. */
export function resolvedPage(page: PageVersion, model: TenantModel, referred: Referred): PageVersion {
  if (!refers(page.document as JsonObject)) return page
  const resolve = resolved.get(referred) ?? resolving(referred)
  resolved.set(referred, resolve)
  return resolve(page, model)
}

const resolving = (referred: Referred) =>
  cachedByModel(({ path, document }: PageVersion, { modules }) => {
    const known: Referred = { ...referred, module: (name) => modules.get(name) }
    return pageVersion(path, resolveReferences(document, fileOf(path), known).document)
  })

/**
 * A page of the product for a tenant: with the tenant's changes to its fields, own fields inserted, on a detail page the own records that refer to
 * it, and the permissions on own modules.
 */
export const filledPage = cachedByModel((published: PageVersion, model: TenantModel): PageVersion => {
  const version = followingModule(published, model)
  const { path, needLogin } = version
  const written = withOverrides(version, model)
  const widgets = withOwnWidgets(written, model, derivedWords())
  const tabs = withInverseTabs(widgets, path, model, derivedWords())
  const document = ctx(withOwnRights(tabs, model, version.document as JsonObject), model)
  return document === published.document ? published : { ...pageVersion(path, document), needLogin }
})

/** The tenant's version of a derived page as its module is now. */
function followingModule(published: PageVersion, model: TenantModel): PageVersion {
  const { follows } = published
  const now = follows === undefined ? null : derivedPage(follows.module, follows.page, model)
  return follows === undefined || now === null
    ? published
    : { ...published, document: follows.documentFor(now.document) }
}

/** Names of the modules with a field whose values may repeat after confirmation. */
export const warnedModules = summaryOfModules(({ modules }): readonly string[] =>
  [...modules.values()].filter((module) => warnedFields(module).length > 0).map(({ name }) => name),
)

/** Adds to the page the question that is asked when a value repeats. */
function ctx(document: JsonObject, model: TenantModel): JsonObject {
  const names = warnedModules(model)
  if (names.length === 0) return document
  const warned = new Set(
    names.map((name) => (model.modules.get(name)?.origin === 'tenant' ? `m/${name}` : name)),
  )
  const warnsOfRepeats = (url: string): boolean => warned.has(WRITES.exec(url)?.[1] ?? '')
  const question = { title: text('own.repeats-title'), content: '{{ error.message }}' }
  return withQuestion(document, warnsOfRepeats, question)
}

const WRITES = /^\/mini\/((?:m\/)?\w+)\/(?:create|update)$/

/** A page for changed fields of the product, and the descriptions it was built from. */
interface OverriddenPage {
  readonly of: ReadonlyMap<string, ModuleDescription | undefined>
  readonly document: JsonObject
}

const lastOverridden = new WeakMap<PageVersion, OverriddenPage>()

/**
 * The page with the tenant's changes to the product's fields: labels, help, requiredness, retirement. The last result is reused until one of these
 * changes; the tenant's own fields do not count.
 */
function withOverrides(version: PageVersion, model: TenantModel): JsonObject {
  const { document, byModules } = version
  const names = [...(byModules?.modules ?? [])]
  const isChanged = names.some((name) =>
    model.modules.get(name)?.fields.some((field) => field.changed === true),
  )
  if (byModules === undefined || !isChanged) return document as JsonObject
  const last = lastOverridden.get(version)
  if (last !== undefined && [...last.of].every(([name, was]) => shippedIn(model, name) === was))
    return last.document
  const of = new Map<string, ModuleDescription | undefined>()
  const ownDocument = byModules.documentFor((name) => {
    const description = of.get(name) ?? shippedIn(model, name)
    of.set(name, description)
    return description
  }) as JsonObject
  lastOverridden.set(version, { of, document: ownDocument })
  return ownDocument
}

const shipped = new WeakMap<MergedModule, ModuleDescription>()
/** Equal descriptions are one object, by their text. */
const equals = new Map<string, ModuleDescription>()
const MAX_EQUALS = 200

/** A module with only the product's fields, the same object as long as these are unchanged: the tenant's own have separate places on a page. */
function shippedIn({ modules }: TenantModel, name: string): ModuleDescription | undefined {
  const module = modules.get(name)
  if (module === undefined || module.origin === 'tenant') return undefined
  const known = shipped.get(module)
  if (known !== undefined) return known
  const productFields = shippedFields(module)
  const text = JSON.stringify(productFields)
  const equal = equals.get(text)
  if (equal === undefined) {
    if (equals.size >= MAX_EQUALS) equals.clear()
    equals.set(text, productFields)
  }
  const description = equal ?? productFields
  shipped.set(module, description)
  return description
}

function shippedFields(module: MergedModule): ModuleDescription {
  const ownNames = new Set(module.fields.flatMap(({ name, origin }) => (origin === 'tenant' ? [name] : [])))
  const fields = module.fields
    .filter(({ origin }) => origin === 'vendor')
    .map((field) => withOwnRules(field, ownNames))
  const groups = module.groups?.map((group) => ({
    ...group,
    fields: group.fields.filter((name) => !ownNames.has(name)),
  }))
  return { ...module, fields, ...(groups === undefined ? {} : { groups }) }
}

const words: DerivedWords = {
  ...pageWords(),
  new: text('derived.new'),
  follow: text('derived.follow'),
  writeFollow: text('derived.write-follow'),
  lapsed: text('derived.lapsed'),
  lockedBut: text('derived.locked-but'),
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
  collaborating: text('derived.collaborating'),
  recycling: text('derived.recycling'),
  leftDays: text('derived.left-days'),
  members: text('derived.members'),
  pool: text('derived.pool'),
  poolOf: text('model.pool'),
  poolEmpty: text('derived.pool-empty'),
  poolMember: text('derived.pool-member'),
  poolToday: text('derived.pool-today'),
  poolReturned: text('derived.pool-returned'),
  choosePool: text('derived.choose-pool'),
  claim: text('derived.claim'),
  claimed: text('derived.claimed'),
  assign: text('derived.assign'),
  release: text('derived.release'),
  owners: text('derived.owners'),
  noOwners: text('derived.no-owners'),
  starred: text('derived.starred'),
  star: text('derived.star'),
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
  recycledAt: text('derived.recycled-at'),
  pick: text('derived.pick'),
  patch: text('derived.patch'),
  patchHead: text('derived.patch-head'),
  patchWhat: text('derived.patch-what'),
  patchEmpty: text('derived.patch-empty'),
  patchEmptyAsk: text('derived.patch-empty-ask'),
  transferAll: text('derived.transfer-all'),
  transferAllAsk: text('derived.transfer-all-ask'),
  transferAllFound: text('derived.transfer-all-found'),
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
  withheld: text('derived.withheld'),
  retired: text('derived.retired'),
  applicant: text('derived.applicant'),
  department: text('derived.department'),
  date: text('derived.date'),
  approvalStatus: text('derived.approval-status'),
}

/** The texts of derived pages. */
export const derivedWords = (): DerivedWords => words
