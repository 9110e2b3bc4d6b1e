import type { Json } from '../../../runtime/core/json.ts'
import { DERIVED_PAGES, type DerivedPage, type DerivedWords, derivePage } from '../../model/derive-pages.ts'
import { inversesOf } from '../../model/inverse.ts'
import type { Trx } from '../db/database.ts'
import { withInverseTabs } from '../model/inverse-tabs.ts'
import type { ModuleLibrary, TenantModel } from '../model/library.ts'
import { withOwnRights } from '../model/own-rights.ts'
import { withOwnWidgets } from '../model/own-widgets.ts'
import { type PageVersion, pageVersion } from '../pages/page-version.ts'
import { text } from '../text.ts'

const PATH = /^\/pages\/m\/([a-z]\w{0,39})\/(index|detail|add)$/

/** Pages that a tenant has because it has modules of its own. */
export interface OwnPages {
  find(trx: Trx, tenantId: string, path: string): Promise<PageVersion | null>
  all(trx: Trx, tenantId: string): Promise<readonly PageVersion[]>
  /** A page of the product with the tenant's own fields in it, and on a detail the records of its own modules that name it. */
  filled(trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion>
}

/** Derives the pages of tenants' own modules; each is made once as long as the tenant's modules stay the same. */
export function createOwnPages(modules: ModuleLibrary): OwnPages {
  const made = new WeakMap<TenantModel, Map<string, PageVersion>>()
  const page = async (trx: Trx, tenantId: string, name: string, kind: DerivedPage) => {
    const model = await modules.of(trx, tenantId)
    const module = model.modules.get(name)
    if (module === undefined || module.origin !== 'tenant') return null
    const path = `/pages/m/${name}/${kind}`
    const known = made.get(model) ?? new Map<string, PageVersion>()
    made.set(model, known)
    const isOwn = (other: string): boolean => model.modules.get(other)?.origin === 'tenant'
    const inverses = inversesOf(model.modules.values(), name)
    const version =
      known.get(path) ?? pageVersion(path, derivePage(kind, module, words(), isOwn, inverses) as Json)
    known.set(path, version)
    return version
  }
  return {
    async find(trx, tenantId, path) {
      const [, name = '', kind = ''] = PATH.exec(path) ?? []
      return name === '' ? null : page(trx, tenantId, name, kind as DerivedPage)
    },
    async all(trx, tenantId) {
      const { modules: there } = await modules.of(trx, tenantId)
      const own = [...there.values()].filter(({ origin }) => origin === 'tenant')
      const pages = await Promise.all(
        own.flatMap(({ name }) => DERIVED_PAGES.map((kind) => page(trx, tenantId, name, kind))),
      )
      return pages.filter((one) => one !== null)
    },
    async filled(trx, tenantId, version) {
      const model = await modules.of(trx, tenantId)
      const own = withOwnWidgets(version, model, words())
      return withOwnRights(withInverseTabs(own, model, words()), model)
    },
  }
}

const words = (): DerivedWords => ({
  new: text('derived.new'),
  follow: text('derived.follow'),
  writeFollow: text('derived.write-follow'),
  noFollow: text('derived.no-follow'),
  files: text('derived.files'),
  noFiles: text('derived.no-files'),
  transfer: text('derived.transfer'),
  transferTo: text('derived.transfer-to'),
  transferred: text('derived.transferred'),
  edit: text('derived.edit'),
  save: text('derived.save'),
  saved: text('derived.saved'),
  delete: text('derived.delete'),
  deleted: text('derived.deleted'),
  deleteTitle: text('derived.delete-title'),
  deleteAsk: text('derived.delete-ask'),
  all: text('derived.all'),
  mine: text('derived.mine'),
  filter: text('derived.filter'),
  reset: text('derived.reset'),
  done: text('derived.done'),
  none: text('derived.none'),
  search: text('derived.search'),
  facts: text('derived.facts'),
  log: text('derived.log'),
  noLog: text('derived.no-log'),
  owner: text('derived.owner'),
  number: text('derived.number'),
  author: text('derived.author'),
  createdAt: text('derived.created-at'),
  from: text('derived.from'),
  until: text('derived.until'),
  required: text('derived.required'),
  queued: text('derived.queued'),
  lng: text('derived.lng'),
  lat: text('derived.lat'),
  locate: text('derived.locate'),
})
