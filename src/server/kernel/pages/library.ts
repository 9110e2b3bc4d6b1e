import type { PageEvent, PageProblem } from '../../../contract/pages.ts'
import type { Database, Scope, Trx } from '../db/database.ts'
import type { CheckPage } from './check.ts'
import { loadPages, type PageFiles } from './load.ts'
import { findPublished } from './overrides.ts'
import type { PageVersion } from './page-version.ts'
import { watchFolder } from './watch.ts'

/** An announcement; `tenantId` when it concerns one tenant only. */
export interface Announcement {
  readonly event: PageEvent
  readonly tenantId: string | null
}

/** The pages of the product: files under `schemas/`, and before them what a tenant published. */
export interface PageLibrary {
  /** The page's own path for a route, an alias or itself. */
  pathOf(path: string): string
  /** The file's page, its last good version; null when there never was one. */
  fromFile(path: string): PageVersion | null
  /** The tenant's published override, otherwise the file's page. Works inside the caller's transaction. */
  find(trx: Trx, tenantId: string, path: string): Promise<PageVersion | null>
  /** Pages the tenant has beside the files, by path: those it published there go first. */
  derived(trx: Trx, tenantId: string): Promise<readonly PageVersion[]>
  /** A page with the tenant's own fields in it, as {@link find} answers it. */
  filled(trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion>
  /** Every address that opens one of the files' pages. */
  addresses(): ReadonlySet<string>
  /** What is wrong with the file as it is now. */
  problemsOf(path: string): readonly PageProblem[]
  paths(): readonly string[]
  subscribe(heard: (announcement: Announcement) => void): () => void
  close(): Promise<void>
}

/** Some editors empty a file before they fill it: a fault counts when it is still there after this time. */
const SETTLE_MS = 100

/** Servers write down when something was published, each by its own clock. */
const CLOCKS_DIFFER_MS = 60_000

/** `pg_notify` channel on which a publish reaches every server. */
export const PAGE_CHANNEL = 'crm_page'

export interface LibraryParts {
  readonly schemasDir: string
  readonly database: Database
  readonly check: CheckPage
  /** Dictionaries that pages may name. */
  readonly dictionaries?: () => Promise<ReadonlySet<string>>
  readonly onError: (error: Error) => void
  /** Pages that follow from what a tenant records; none without them. */
  readonly own?: OwnPages
}

/** Pages of a tenant that no file holds. */
interface OwnPages {
  find(trx: Trx, tenantId: string, path: string): Promise<PageVersion | null>
  all(trx: Trx, tenantId: string): Promise<readonly PageVersion[]>
  filled(trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion>
}

/** Reads the pages and keeps watching them. */
export async function createPageLibrary({
  schemasDir,
  database,
  check,
  dictionaries,
  onError,
  own,
}: LibraryParts): Promise<PageLibrary> {
  const load = async (): Promise<PageFiles> => {
    const known = await dictionaries?.()
    return loadPages(schemasDir, check, known === undefined ? {} : { dictionaries: known })
  }
  let files = await load()
  const good = new Map<string, PageVersion>()
  keepGood(files, good)
  const listeners = new Set<(announcement: Announcement) => void>()
  const announce = (announcement: Announcement): void => {
    for (const listener of listeners) listener(announcement)
  }
  const stopWatching = watchFolder(schemasDir, async () => {
    try {
      const before = files
      files = await load()
      if (hasNewFaults(before, files)) {
        await new Promise((done) => setTimeout(done, SETTLE_MS))
        files = await load()
      }
      keepGood(files, good)
      for (const event of eventsBetween(before, files)) announce({ event, tenantId: null })
    } catch (error) {
      onError(error as Error)
    }
  })
  const stopListening = await database.listen(
    PAGE_CHANNEL,
    (payload) => announce(JSON.parse(payload) as Announcement),
    (since) => {
      publishedSince(database, since - CLOCKS_DIFFER_MS).then((missed) => missed.forEach(announce), onError)
    },
  )
  const pathOf = (path: string): string => files.aliases.get(path) ?? path
  const fromFile = (path: string): PageVersion | null => good.get(pathOf(path)) ?? null
  return {
    pathOf,
    fromFile,
    async find(trx, tenantId, path) {
      const at = pathOf(path)
      const found = (await findPublished(trx, tenantId, at)) ?? fromFile(path)
      if (found === null) return (await own?.find(trx, tenantId, at)) ?? null
      return own?.filled(trx, tenantId, found) ?? found
    },
    derived: async (trx, tenantId) => (await own?.all(trx, tenantId)) ?? [],
    filled: async (trx, tenantId, page) => own?.filled(trx, tenantId, page) ?? page,
    addresses: () => new Set([...files.aliases.keys(), ...files.pages.keys()]),
    problemsOf(path) {
      const found = files.pages.get(pathOf(path))
      return isProblems(found) ? found : []
    },
    paths: () => [...good.keys()],
    subscribe(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    async close() {
      stopWatching()
      await stopListening()
    },
  }
}

/** What tenants published since a moment, as it would have been announced. */
async function publishedSince(database: Database, since: number): Promise<readonly Announcement[]> {
  const rows = await database.system((trx) =>
    trx
      .selectFrom('page_override')
      .select(['tenant_id', 'path', 'etag'])
      .where('status', '=', 'published')
      .where('published_at', '>=', new Date(since))
      .execute(),
  )
  return rows.map(({ tenant_id, path, etag }) => ({ event: { path, etag }, tenantId: tenant_id }))
}

/** Tells every server, once the transaction commits, that the tenant's page is another one now. */
export function announcePublished(
  database: Database,
  trx: Trx,
  scope: Scope,
  page: PageVersion,
): Promise<void> {
  const announcement: Announcement = { event: { path: page.path, etag: page.etag }, tenantId: scope.tenantId }
  return database.notify(trx, PAGE_CHANNEL, JSON.stringify(announcement))
}

function isProblems(
  found: PageVersion | readonly PageProblem[] | undefined,
): found is readonly PageProblem[] {
  return Array.isArray(found)
}

/** A page whose file has faults stays as it was, at the start as it is if it opens; one whose file is gone goes. */
function keepGood(files: PageFiles, good: Map<string, PageVersion>): void {
  for (const path of good.keys()) if (!files.pages.has(path)) good.delete(path)
  for (const [path, found] of files.pages) if (!isProblems(found)) good.set(path, found)
  for (const [path, page] of files.opening) if (!good.has(path)) good.set(path, page)
}

function hasNewFaults(before: PageFiles, after: PageFiles): boolean {
  return eventsBetween(before, after).some((event) => 'problems' in event || event.etag === '')
}

function eventsBetween(before: PageFiles, after: PageFiles): readonly PageEvent[] {
  const events: PageEvent[] = []
  for (const [path, found] of after.pages) {
    const was = before.pages.get(path)
    if (isProblems(found)) {
      if (JSON.stringify(was) !== JSON.stringify(found)) events.push({ path, problems: found })
    } else if (isProblems(was) || was?.etag !== found.etag) {
      events.push({ path, etag: found.etag })
    }
  }
  for (const path of before.pages.keys()) if (!after.pages.has(path)) events.push({ path, etag: '' })
  return events
}
