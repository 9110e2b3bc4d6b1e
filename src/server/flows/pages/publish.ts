import type { FastifyRequest } from 'fastify'
import { parsePage } from '../../../../runtime/core/index.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { createRegistry } from '../../../../runtime/core/widgets/index.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { announcePublished } from '../../kernel/pages/library.ts'
import {
  findHead,
  findRevision,
  findWritten,
  insertRevision,
  isPublishedBy,
  lockPage,
  restoreRevision,
} from '../../kernel/pages/overrides.ts'
import { isOwnPath } from '../../kernel/pages/own-paths.ts'
import { requireSecondPerson } from '../../kernel/pages/second-person.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { shownProblem } from '../../kernel/text/author.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { changesBetween, referenceLabels, wordsOf } from './changes.ts'
import { type CheckedPost, checkPosted, type Posted } from './check-posted.ts'
import { dropDraft } from './drafts.ts'
import { hasTakenIn } from './merging.ts'
import { bothSides, refuseUnknown } from './versions.ts'

const ENTITY = 'page_override'

export interface PublishBody extends Posted {
  /** The revision it is based on; 0: the product's page, or none. */
  readonly base: number
  /** The product's page that the author has reviewed: changes they did not adopt are no longer reported. */
  readonly vendorEtag?: string | null
  /** The reason, shown with the versions; an empty field means none. */
  readonly note?: string | null
}

/** Names by which pages refer to our own server. */
export const hostOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`

/** Publishes a document as the tenant's page, if nobody has published since `base`. */
export async function publishPage(
  services: Services,
  request: FastifyRequest,
  given: PublishBody,
  isImported = false,
): Promise<Json> {
  const { database, pages } = services
  const { base, vendorEtag = null } = given
  const note = given.note ?? ''
  const path = pages.pathOf(given.path)
  const posted = { path, document: given.document }
  const from = { caller: callerOf(request), host: hostOf(request), isImported }
  const checked = await checkPosted(posted, from, services)
  refuseProblems(path, checked)
  return writeOnce(database, request, { action: 'page:publish', entity: ENTITY }, async (trx, caller) => {
    await requireSecondPerson(trx, caller)
    const { etag, revision, changes } = await putPage(
      { path, base, note, checked, vendorEtag },
      { trx, caller },
      services,
    )
    await dropDraft(trx, caller, path)
    return {
      recordId: path,
      detail: { etag, revision, note, changes },
      data: { path, etag, revision },
    }
  })
}

/** A checked page that is to be published. */
export interface PutPage {
  readonly path: string
  readonly base: number
  readonly note: string
  readonly vendorEtag?: string | null
  readonly checked: Pick<CheckedPost, 'document' | 'text'>
}

/** The transaction in which a page is changed. */
export interface Putting {
  readonly trx: Trx
  readonly caller: Pick<Caller, 'tenantId' | 'userId'>
}

/** The result; `changes` as texts. */
export interface PagePut {
  readonly etag: string
  readonly revision: number
  readonly changes: readonly string[]
}

/**
 * Publishes a checked document in the caller's transaction.
 *
 * @throws Refusal 409 with both sides if somebody has published since `base`; `own`: the same person did
 */
export async function putPage(
  { path, base, note, checked, vendorEtag = null }: PutPage,
  { trx, caller }: Putting,
  services: Services,
): Promise<PagePut> {
  const { pages } = services
  const { tenantId } = caller
  const { document, text: written } = checked
  await lockPage(trx, tenantId, path)
  const shipped = await pages.shipped(trx, tenantId, path)
  const before = await findWritten(trx, tenantId, path)
  if (shipped === null && before === null && !isOwnPath(path)) refuseUnknown()
  if ((before?.revision ?? 0) !== base)
    refuse(409, 'VERSION_CONFLICT', text('page.conflict'), {
      data: {
        ...(await bothSides(path, base, trx, tenantId, pages)),
        own: await isPublishedBy(trx, caller, path, base),
      },
    })
  const { modules } = await services.modules.within(trx, tenantId)
  const labels = referenceLabels(modules, pages.fragments())
  const changes = changesBetween(before?.document ?? shipped?.document ?? null, document, labels)
  const isSeen = shipped === null || shipped.etag === vendorEtag || hasTakenIn(document, before, shipped)
  const vendorDocument = (isSeen ? shipped?.document : before?.vendorDocument) ?? null
  const revision = await insertRevision(trx, caller, {
    path,
    document,
    text: written,
    base,
    note,
    vendorDocument,
    changes: changes as unknown as Json,
  })
  const etag = await announce(services, trx, tenantId, path)
  return { etag, revision, changes: wordsOf(changes) }
}

/** Makes a version current again; 0: the product's page. */
export async function rollBack(
  services: Services,
  request: FastifyRequest<{ Body: { path: string; revision: number } }>,
): Promise<Json> {
  const { database, pages } = services
  const { revision } = request.body
  const path = pages.pathOf(request.body.path)
  return writeOnce(database, request, { action: 'page:rollback', entity: ENTITY }, async (trx, caller) => {
    const { was, etag } = await republish({ path, revision }, { trx, caller }, services)
    return {
      recordId: path,
      detail: { etag, before: { revision: was }, after: { revision } },
      data: { path, etag, revision },
    }
  })
}

/** Makes a version current again in the caller's transaction. @returns the number that was current, and the etag as it is now */
export async function republish(
  { path, revision }: { readonly path: string; readonly revision: number },
  { trx, caller }: Putting,
  services: Services,
): Promise<{ readonly was: number; readonly etag: string }> {
  const { pages } = services
  const { tenantId } = caller
  await lockPage(trx, tenantId, path)
  const before = await findHead(trx, tenantId, path)
  const was = before?.revision ?? 0
  const target = revision === 0 ? null : await findRevision(trx, tenantId, path, revision)
  const shipped = await pages.shipped(trx, tenantId, path)
  if (revision > 0 ? target === null : before === null && shipped === null) refuseUnknown()
  if (target !== null) refuseUnopenable(path, target.document, services)
  if (was !== revision) await restoreRevision(trx, tenantId, path, revision)
  return { was, etag: await announce(services, trx, tenantId, path) }
}

/** Notifies open clients; the etag of the page as served now, '' if it no longer exists. */
async function announce(services: Services, trx: Trx, tenantId: string, path: string): Promise<string> {
  const { database, pages } = services
  const etag = (await pages.find(trx, tenantId, path))?.etag ?? ''
  await announcePublished(database, trx, { tenantId }, { path, etag })
  return etag
}

/** @throws Refusal 400 with the problems of a page that has any */
export function refuseProblems(path: string, { problems }: CheckedPost): void {
  const [first] = problems
  if (first === undefined) return
  const hasOwnMessage = first.code === 'ORIGIN_REFUSED' || first.code === 'CONNECTION_UNKNOWN'
  refuse(400, 'VALIDATION', hasOwnMessage ? first.message : text('page.invalid', { n: problems.length }), {
    detail: first.at,
    data: { path, problems: problems as unknown as Json },
  })
}

const registry = createRegistry()

/** An old version can be restored even if it fails today's checks, as long as it opens: what it refers to may have been removed. */
function refuseUnopenable(path: string, document: Json, { pages }: Services): void {
  const page = pages.resolved(path, document)
  const parsed = parsePage(page.document, { registry })
  const faults = page
    .problemsWith(parsed.ok ? [] : parsed.problems)
    .map((problem) => ({ ...shownProblem(problem), file: problem.file }))
  refuseProblems(path, { document, text: null, problems: faults, advice: [], resolved: null })
}
