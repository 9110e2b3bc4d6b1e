import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Scope, Trx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { etagOf } from './page-version.ts'

/** A tenant's page as written, with its references. */
export interface WrittenPage {
  readonly path: string
  readonly revision: number
  readonly document: Json
  /** Exactly as posted; null if a document was posted. */
  readonly text: string | null
  /** Hash of the document as written. */
  readonly etag: string
  /** The product's page at the time of publishing. */
  readonly vendorDocument: Json
}

const COLUMNS = ['path', 'revision', 'document', 'etag', 'vendor_document'] as const

/** A page's text byte for byte: as plain text, the driver of the embedded database would drop the byte order mark. */
export const wholeText = sql<string>`to_json(text)`.as('text')

function asWritten(row: {
  path: string
  revision: number
  document: Json
  text: string | null
  etag: string
  vendor_document: Json | null
}): WrittenPage {
  const { vendor_document: vendorDocument, ...rest } = row
  return { ...rest, vendorDocument }
}

/** The version of the page a tenant published at `path`, or null. */
export async function findHead(
  trx: Trx,
  tenantId: string,
  path: string,
): Promise<Pick<WrittenPage, 'revision' | 'etag'> | null> {
  const row = await trx
    .selectFrom('page_override')
    .select(['revision', 'etag'])
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .where('status', '=', 'published')
    .executeTakeFirst()
  return row ?? null
}

/** Versions of all pages the tenant has published. */
export function findHeads(
  trx: Trx,
  tenantId: string,
): Promise<readonly Pick<WrittenPage, 'path' | 'revision' | 'etag'>[]> {
  return trx
    .selectFrom('page_override')
    .select(['path', 'revision', 'etag'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'published')
    .orderBy('path')
    .execute()
}

/** The page published under this number, whether or not it is current; null if there was none. */
export async function findRevision(
  trx: Trx,
  tenantId: string,
  path: string,
  revision: number,
): Promise<WrittenPage | null> {
  const row = await trx
    .selectFrom('page_override')
    .select([...COLUMNS, wholeText])
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .where('revision', '=', revision)
    .where('status', '!=', 'draft')
    .executeTakeFirst()
  return row === undefined ? null : asWritten(row)
}

/** The tenant's published page at `path` as written, or null. */
export async function findWritten(trx: Trx, tenantId: string, path: string): Promise<WrittenPage | null> {
  const head = await findHead(trx, tenantId, path)
  return head === null ? null : findRevision(trx, tenantId, path, head.revision)
}

/** Whether one person published every version of a page since `base`, and there is one. */
export async function isPublishedBy(
  trx: Trx,
  { tenantId, userId }: Scope,
  path: string,
  base: number,
): Promise<boolean> {
  const { rows } = await sql<{
    own: boolean | null
  }>`select bool_and(created_by is not distinct from ${userId}) as own
    from page_override where tenant_id = ${tenantId} and path = ${path} and revision > ${base}`.execute(trx)
  return rows[0]?.own === true
}

/** Admits one publisher at a time to a page; the next one sees the result. */
export async function lockPage(trx: Trx, tenantId: string, path: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`page/${tenantId}/${path}`}, 0))`.execute(trx)
}

/** What is published and by whom. */
export interface Publication extends Pick<WrittenPage, 'path' | 'document' | 'text' | 'vendorDocument'> {
  /** The revision it is based on. */
  readonly base: number
  readonly note: string
  /** The differences from the previous version. */
  readonly changes: Json
}

/** Publishes a document as the tenant's page; earlier revisions are kept. The page is locked. @returns its number, never used before */
export async function insertRevision(trx: Trx, scope: Scope, publication: Publication): Promise<number> {
  const { path, document, text, base, note, vendorDocument, changes } = publication
  await archiveCurrent(trx, scope.tenantId, path)
  const last = await trx
    .selectFrom('page_override')
    .select((select) => select.fn.max('revision').as('revision'))
    .where('tenant_id', '=', scope.tenantId)
    .where('path', '=', path)
    .executeTakeFirst()
  const revision = (last?.revision ?? 0) + 1
  await trx
    .insertInto('page_override')
    .values({
      tenant_id: scope.tenantId,
      path,
      revision,
      status: 'published',
      document: json(document),
      text,
      base,
      vendor_document: vendorDocument === null ? null : json(vendorDocument),
      changes: json(changes),
      etag: etagOf(document),
      note,
      created_by: scope.userId,
      published_at: new Date(),
    })
    .execute()
  return revision
}

/** Publishes an earlier revision again; 0: the product's page. The page is locked. */
export async function restoreRevision(
  trx: Trx,
  tenantId: string,
  path: string,
  revision: number,
): Promise<void> {
  await archiveCurrent(trx, tenantId, path)
  await trx
    .updateTable('page_override')
    .set({ status: 'published', published_at: new Date(), archived_at: null })
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .where('revision', '=', revision)
    .execute()
}

async function archiveCurrent(trx: Trx, tenantId: string, path: string): Promise<void> {
  await trx
    .updateTable('page_override')
    .set({ status: 'archived', archived_at: new Date() })
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .where('status', '=', 'published')
    .execute()
}
