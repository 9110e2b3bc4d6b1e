import { derivedAt } from '../../../model/derived/parts.ts'
import type { Trx } from '../../kernel/db/database.ts'
import type { ModuleLibrary } from '../../kernel/model/library.ts'
import { derivedPage, derivedPages, filledPage, resolvedPage } from '../../kernel/model/tenant-pages.ts'
import type { PageVersion } from '../../kernel/pages/page-version.ts'
import type { Referred } from '../../kernel/pages/references.ts'

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
    const at = derivedAt(path)
    if (at === null) return null
    const model = await modules.of(trx, tenantId)
    const page = derivedPage(at.module, at.page, model)
    return page === null || referred === undefined ? page : resolvedPage(page, model, referred)
  },
  async all(trx, tenantId, referred) {
    const model = await modules.of(trx, tenantId)
    return derivedPages(model).map((page) => resolvedPage(page, model, referred))
  },
  filled: async (trx, tenantId, version) => filledPage(version, await modules.of(trx, tenantId)),
})
