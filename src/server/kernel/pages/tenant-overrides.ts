import { derivedAt } from '../../../model/derived/parts.ts'
import type { Trx } from '../db/database.ts'
import { findHeads, findRevision } from './overrides.ts'
import type { PageVersion } from './page-version.ts'
import type { ServedPages } from './served.ts'
import { findAt, isAmong, type Reader, type Trial, trialDocument } from './trials.ts'

/** A tenant's replacements for the product's pages: published ones, and those on trial for some of its people. */
export function createTenantOverrides(served: ServedPages) {
  async function published(trx: Trx, tenantId: string): Promise<ReadonlyMap<string, PageVersion>> {
    const heads = await findHeads(trx, tenantId)
    const pages: [string, PageVersion][] = []
    for (const head of heads) {
      const page = await overrideOf(trx, tenantId, head)
      if (page !== null) pages.push([head.path, page])
    }
    return new Map(pages)
  }

  async function overrideOf(
    trx: Trx,
    tenantId: string,
    head: { readonly path: string; readonly revision: number; readonly etag: string },
  ): Promise<PageVersion | null> {
    const { path, revision, etag } = head
    const marked = { path, etag, of: derivedAt(path) === null ? '' : `${tenantId} ${revision}` }
    const version = served.find(marked)
    if (version !== null) return version
    const written = await findRevision(trx, tenantId, path, revision)
    return written === null ? null : served.make(marked, written)
  }

  /** The trial version that a reader gets at a path; null for everybody else. */
  async function tried(
    trx: Trx,
    tenantId: string,
    { path, etag, audience }: Trial,
    reader: Reader,
  ): Promise<PageVersion | null> {
    if (!isAmong(audience, reader)) return null
    const marked = { path, etag, of: '' }
    const version = served.find(marked)
    if (version !== null) return version
    const document = await trialDocument(trx, tenantId, path)
    // It may have ended just now.
    return document === null ? null : served.make(marked, { document, vendorDocument: null })
  }

  /** The tenant's replacement at a path: the reader's trial version, otherwise the published one. */
  async function findOverride(
    trx: Trx,
    tenantId: string,
    path: string,
    reader: Reader | undefined,
  ): Promise<PageVersion | null> {
    const { head, trial } = await findAt(trx, tenantId, path)
    const page = trial === null || reader === undefined ? null : await tried(trx, tenantId, trial, reader)
    return page ?? (head === null ? null : overrideOf(trx, tenantId, { path, ...head }))
  }

  return { published, tried, findOverride }
}
