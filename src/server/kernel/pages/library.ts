import type { Json } from '../../../../runtime/core/json.ts'
import type { DictionariesChanged, PageBroken, PageEvent, PageProblem } from '../../../contract/pages.ts'
import type { Database, Scope, Trx } from '../db/database.ts'
import type { CheckPage } from './check.ts'
import { createLastGood, type LastGood, type Parts } from './last-good.ts'
import { loadPages, type PageFiles, pageFromParts } from './load.ts'
import { type ResolvedPage, resolvedPage } from './made-pages.ts'
import type { PageVersion } from './page-version.ts'
import type { Referred } from './references.ts'
import { rememberedCheck } from './remembered-check.ts'
import { createServedPages, fileOf, servedPage } from './served.ts'
import { createTenantOverrides } from './tenant-overrides.ts'
import { type Audience, findTrials, type Reader } from './trials.ts'
import type { ValidPageCache } from './valid-page-cache.ts'
import { watchFolder } from './watch.ts'

/** An announcement; with `tenantId` if it concerns one tenant only. */
export interface Announcement {
  readonly event: PageEvent | DictionariesChanged
  readonly tenantId: string | null
  /** Present if it concerns only some people of the tenant. */
  readonly audience?: Audience
}

/** The pages of the product: files under `schemas/`, overridden by what a tenant published. */
export interface PageLibrary {
  /** The page's own path for a route, an alias or itself. */
  pathOf(path: string): string
  /** The last valid version of the file's page; null if there never was one. */
  fromFile(path: string): PageVersion | null
  /**
   * The tenant's published override, otherwise the file's page. Works inside the caller's transaction.
   *
   * @param reader  may have a trial version instead
   */
  find(trx: Trx, tenantId: string, path: string, reader?: Reader): Promise<PageVersion | null>
  /** What the tenant has published, by path, without its own fields inserted. */
  published(trx: Trx, tenantId: string): Promise<ReadonlyMap<string, PageVersion>>
  /** Every page of the tenant, as returned by {@link find}. */
  all(trx: Trx, tenantId: string, reader?: Reader): Promise<readonly PageVersion[]>
  /** The page without overrides: the file's, or the one derived from an own module; null if there is none. */
  shipped(trx: Trx, tenantId: string, path: string): Promise<ShippedPage | null>
  /** A document as delivered to the tenant: with references replaced and the tenant's own fields inserted. */
  served(trx: Trx, tenantId: string, document: Json): Promise<Json>
  /** A document with references replaced. */
  resolved(path: string, document: Json): ResolvedPage
  /** Every address that opens one of the files' pages. */
  addresses(): ReadonlySet<string>
  /** Fragments that pages may refer to, as written, by name. */
  fragments(): ReadonlyMap<string, Json>
  /** The table of routes for a page: its title, and the addresses that open it. */
  routeOf(path: string): PageRoute
  /** The errors in the current file. */
  problemsOf(path: string): readonly PageProblem[]
  /** Every page whose file currently has errors. */
  broken(): readonly PageBroken[]
  paths(): readonly string[]
  subscribe(listener: (announcement: Announcement) => void): () => void
  close(): Promise<void>
}

/** A page of the product. */
export interface ShippedPage {
  /** As written. */
  readonly document: Json
  /** The file; null if there is none. */
  readonly text: string | null
  /** As served. */
  readonly etag: string
}

interface PageRoute {
  readonly title: string
  readonly addresses: readonly string[]
}

/** Some editors empty a file before they write it: an error counts only if it persists for this time. */
const SETTLE_MS = 100

/** Servers record publishing times by their own clocks, which may differ by this much. */
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
  /** Called when a page's file has errors that differ from the previous ones. */
  readonly onBroken: (broken: PageBroken) => void
  /** Pages derived from what a tenant configured; without it, none. */
  readonly own?: OwnPages
  /** Pages that earlier starts have found valid. */
  readonly faultless?: ValidPageCache | undefined
}

/** Pages of a tenant without a file. */
interface OwnPages {
  /** @param referred  what its references stand for; absent: the page as written */
  find(trx: Trx, tenantId: string, path: string, referred?: Referred): Promise<PageVersion | null>
  all(trx: Trx, tenantId: string, referred: Referred): Promise<readonly PageVersion[]>
  filled(trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion>
}

/** Reads the pages and keeps watching them. */
export async function createPageLibrary({
  schemasDir,
  database,
  check,
  dictionaries,
  onError,
  onBroken,
  own,
  faultless,
}: LibraryParts): Promise<PageLibrary> {
  const judge = rememberedCheck(check, faultless)
  const load = async (): Promise<PageFiles> => {
    const known = await dictionaries?.()
    return loadPages(schemasDir, judge, known === undefined ? {} : { dictionaries: known })
  }
  let files = await load()
  const stored = createLastGood(database, 'pages')
  const good = await goodAtStart(files, stored)
  for (const broken of brokenIn(files)) onBroken(broken)
  await stored.keep(partsOf(good))
  const served = createServedPages(() => files.referred)
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
      served.forget()
      for (const event of eventsBetween(before, files)) {
        if ('problems' in event) onBroken(event)
        announce({ event, tenantId: null })
      }
      await stored.keep(partsOf(good))
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
  const fromFile = (path: string): PageVersion | null => good.get(pathOf(path))?.page ?? null
  const filled = async (trx: Trx, tenantId: string, page: PageVersion): Promise<PageVersion> =>
    own?.filled(trx, tenantId, page) ?? page
  const derived = async (trx: Trx, tenantId: string): Promise<readonly PageVersion[]> =>
    (await own?.all(trx, tenantId, files.referred)) ?? []

  const { published, tried, findOverride } = createTenantOverrides(served)

  return {
    pathOf,
    fromFile,
    fragments: () => files.fragments,
    published,
    async find(trx, tenantId, path, reader) {
      const at = pathOf(path)
      const found = (await findOverride(trx, tenantId, at, reader)) ?? fromFile(path)
      if (found === null) return (await own?.find(trx, tenantId, at, files.referred)) ?? null
      return filled(trx, tenantId, found)
    },
    async all(trx, tenantId, reader) {
      const pages = new Map([...good].map(([path, { page }]) => [path, page]))
      for (const page of await derived(trx, tenantId)) pages.set(page.path, page)
      for (const [path, page] of await published(trx, tenantId)) pages.set(path, page)
      for (const trial of reader === undefined ? [] : await findTrials(trx, tenantId)) {
        const page = reader === undefined ? null : await tried(trx, tenantId, trial, reader)
        if (page !== null) pages.set(trial.path, page)
      }
      return Promise.all([...pages.values()].map((page) => filled(trx, tenantId, page)))
    },
    async shipped(trx, tenantId, path) {
      const at = pathOf(path)
      const file = fromFile(at)
      if (file === null) {
        const page = await own?.find(trx, tenantId, at)
        const served = await own?.find(trx, tenantId, at, files.referred)
        return page && served ? { document: page.document, text: null, etag: served.etag } : null
      }
      const { document, text } = files.written.get(at) ?? { document: file.document, text: null }
      return { document, text, etag: (await filled(trx, tenantId, file)).etag }
    },
    served: async (trx, tenantId, document) =>
      (await filled(trx, tenantId, servedPage(NOWHERE, document, files.referred))).document,
    resolved: (path, content) => resolvedPage(content, fileOf(path), files.referred),
    addresses: () => new Set([...files.aliases.keys(), ...files.pages.keys()]),
    routeOf: (path) => ({
      title: files.titles.get(path) ?? '',
      addresses: [...files.aliases].flatMap(([address, page]) => (page === path ? [address] : [])),
    }),
    problemsOf(path) {
      const found = files.pages.get(pathOf(path))
      return isProblems(found) ? found : []
    },
    broken: () => brokenIn(files),
    paths: () => [...good.keys()],
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await stopWatching()
      await stopListening()
    },
  }
}

/** Path of a page that is not delivered yet. */
const NOWHERE = '/pages/x/draft'

/** What tenants published since a given time, as it would have been announced, including pages that were reset to the product's. */
async function publishedSince(database: Database, since: number): Promise<readonly Announcement[]> {
  const rows = await database.system((trx) =>
    trx
      .selectFrom('page_override')
      .select(['tenant_id', 'path', 'etag', 'status'])
      .where((where) =>
        where.or([where('published_at', '>=', new Date(since)), where('archived_at', '>=', new Date(since))]),
      )
      .orderBy('status')
      .execute(),
  )
  const moved = new Map(rows.map((row) => [`${row.tenant_id} ${row.path}`, row] as const))
  return [...moved.values()].map(({ tenant_id, path, etag, status }) => ({
    event: { path, etag: status === 'published' ? etag : '' },
    tenantId: tenant_id,
  }))
}

/** Notifies every server, when the transaction commits, that the tenant's page has changed; `etag` is '' if there is none. */
export function announcePublished(
  database: Database,
  trx: Trx,
  scope: Pick<Scope, 'tenantId'>,
  event: { readonly path: string; readonly etag: string },
  audience?: Audience,
): Promise<void> {
  const announcement: Announcement = {
    event,
    tenantId: scope.tenantId,
    ...(audience === undefined ? {} : { audience }),
  }
  return database.notify(trx, PAGE_CHANNEL, JSON.stringify(announcement))
}

function isProblems(
  found: PageVersion | readonly PageProblem[] | undefined,
): found is readonly PageProblem[] {
  return Array.isArray(found)
}

const brokenIn = ({ pages }: PageFiles): readonly PageBroken[] =>
  [...pages].flatMap(([path, problems]) => (isProblems(problems) ? [{ path, problems }] : []))

/** The last valid version of a page, and its sources; without a valid one, an invalid version that can still be opened. */
interface Good {
  readonly page: PageVersion
  readonly parts: Parts | null
}

/** A page whose file has errors keeps its version; one whose file was deleted is removed. */
function keepGood(files: PageFiles, good: Map<string, Good>): void {
  for (const path of good.keys()) if (!files.pages.has(path)) good.delete(path)
  for (const [path, page] of files.pages)
    if (!isProblems(page)) good.set(path, { page, parts: files.parts.get(path) ?? null })
  for (const [path, page] of files.opening) if (!good.has(path)) good.set(path, { page, parts: null })
}

/** The pages at the start: for invalid ones the last valid version, otherwise the current one if it can be opened. */
async function goodAtStart(files: PageFiles, stored: LastGood): Promise<Map<string, Good>> {
  const good = new Map<string, Good>()
  const broken = brokenIn(files)
  const last = broken.length === 0 ? new Map<string, Parts>() : await stored.read()
  for (const { path } of broken) {
    const parts = last.get(path)
    const page = parts === undefined ? null : pageFromParts(path, parts, files.open.has(path))
    if (parts !== undefined && page !== null) good.set(path, { page, parts })
  }
  keepGood(files, good)
  return good
}

const partsOf = (good: ReadonlyMap<string, Good>): ReadonlyMap<string, Parts> =>
  new Map([...good].flatMap(([path, { parts }]) => (parts === null ? [] : [[path, parts]])))

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
