import type { DerivedPage } from '../../../model/derive-pages.ts'
import type { Trx } from '../../kernel/db/database.ts'
import type { ModuleLibrary } from '../../kernel/model/library.ts'
import { derivedPage, derivedPages, filledPage, resolvedPage } from '../../kernel/model/tenant-pages.ts'
import type { PageVersion } from '../../kernel/pages/page-version.ts'
import type { Referred } from '../../kernel/pages/references.ts'

const PATH = /^\/pages\/m\/([a-z]\w{0,39})\/(index|detail|add|print|pool)$/

/** The pages of a tenant that follow from its own modules and fields. */
export interface OwnPages {
  /** @param referred  the records its references stand for; without it, the page as written */
  find(trx: Trx, tenantId: string, path: string, referred?: Referred): Promise<PageVersion | null>
  all(trx: Trx, tenantId: string, referred: Referred): Promise<readonly PageVersion[]>
  /** A page of the product with the additions of the tenant's modules and fields. */
  filled(trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion>
}

export const createOwnPages = (modules: ModuleLibrary): OwnPages => ({
  async find(trx, tenantId, path, referred) {
    const [, name = '', kind = ''] = PATH.exec(path) ?? []
    if (name === '') return null
    const model = await modules.of(trx, tenantId)
    const page = derivedPage(name, kind as DerivedPage, model)
    return page === null || referred === undefined ? page : resolvedPage(page, model, referred)
  },
  async all(trx, tenantId, referred) {
    const model = await modules.of(trx, tenantId)
    return derivedPages(model).map((page) => resolvedPage(page, model, referred))
  },
  filled: async (trx, tenantId, version) => filledPage(version, await modules.of(trx, tenantId)),
})
