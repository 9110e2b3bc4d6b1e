import type { Json } from '../../../../runtime/core/json.ts'
import type { Scope, Trx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { type PageVersion, pageVersion } from './page-version.ts'

/** The page a tenant published at `path`, or null. */
export async function findPublished(trx: Trx, tenantId: string, path: string): Promise<PageVersion | null> {
  const row = await trx
    .selectFrom('page_override')
    .select('document')
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .where('status', '=', 'published')
    .executeTakeFirst()
  return row === undefined ? null : pageVersion(path, row.document)
}

/** All pages the tenant has published, by path. */
export async function findAllPublished(
  trx: Trx,
  tenantId: string,
): Promise<ReadonlyMap<string, PageVersion>> {
  const rows = await trx
    .selectFrom('page_override')
    .select(['path', 'document'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'published')
    .execute()
  return new Map(rows.map(({ path, document }) => [path, pageVersion(path, document)]))
}

/** What is published and by whom. */
export interface Publication {
  readonly path: string
  readonly document: Json
  readonly note: string
}

/** Publishes a document as the tenant's page; earlier revisions are kept. */
export async function publishPage(trx: Trx, scope: Scope, publication: Publication): Promise<PageVersion> {
  const { path, document, note } = publication
  const page = pageVersion(path, document)
  // Locks the tenant's page, so that two publishers get two revisions.
  await trx
    .updateTable('page_override')
    .set({ status: 'archived' })
    .where('tenant_id', '=', scope.tenantId)
    .where('path', '=', path)
    .where('status', '=', 'published')
    .execute()
  const last = await trx
    .selectFrom('page_override')
    .select((select) => select.fn.max('revision').as('revision'))
    .where('tenant_id', '=', scope.tenantId)
    .where('path', '=', path)
    .executeTakeFirst()
  await trx
    .insertInto('page_override')
    .values({
      tenant_id: scope.tenantId,
      path,
      revision: (last?.revision ?? 0) + 1,
      status: 'published',
      document: json(document),
      etag: page.etag,
      note,
      created_by: scope.userId,
      published_at: new Date(),
    })
    .execute()
  return page
}
