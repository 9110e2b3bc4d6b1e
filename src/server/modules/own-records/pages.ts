import type { DerivedPage } from '../../../model/derive-pages.ts'
import type { Trx } from '../../kernel/db/database.ts'
import type { ModuleLibrary } from '../../kernel/model/library.ts'
import { derivedPage, derivedPages, filledPage } from '../../kernel/model/tenant-pages.ts'
import type { PageVersion } from '../../kernel/pages/page-version.ts'

const PATH = /^\/pages\/m\/([a-z]\w{0,39})\/(index|detail|add)$/

/** Pages that a tenant has because it has modules and fields of its own. */
export interface OwnPages {
  find(trx: Trx, tenantId: string, path: string): Promise<PageVersion | null>
  all(trx: Trx, tenantId: string): Promise<readonly PageVersion[]>
  /** A page of the product with what the tenant's modules and fields put into it. */
  filled(trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion>
}

export const createOwnPages = (modules: ModuleLibrary): OwnPages => ({
  async find(trx, tenantId, path) {
    const [, name = '', kind = ''] = PATH.exec(path) ?? []
    return name === '' ? null : derivedPage(name, kind as DerivedPage, await modules.of(trx, tenantId))
  },
  all: async (trx, tenantId) => derivedPages(await modules.of(trx, tenantId)),
  filled: async (trx, tenantId, version) => filledPage(version, await modules.of(trx, tenantId)),
})
