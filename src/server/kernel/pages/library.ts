import type { Problem } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import type { DictionariesChanged, PageBroken, PageEvent, PageProblem } from '../../../contract/pages.ts'
import type { Database, Scope, Trx } from '../db/database.ts'
import type { CheckPage } from './check.ts'
import type { Faultless } from './faultless.ts'
import { createLastGood, type LastGood, type Parts } from './last-good.ts'
import { loadPages, type PageFiles, pageFromParts } from './load.ts'
import { checkedPage } from './made-pages.ts'
import type { PageVersion } from './page-version.ts'
import type { Origin, Referred } from './references.ts'
import { rememberedCheck } from './remembered-check.ts'
import { createServedPages, fileOf, servedPage } from './served.ts'
import { createTenantOverrides } from './tenant-overrides.ts'
import { type Audience, findTrials, type Reader } from './trials.ts'
import { watchFolder } from './watch.ts'

/** An announcement; `tenantId` when it concerns one tenant only. */
export interface Announcement {
  readonly event: PageEvent | DictionariesChanged
  readonly tenantId: string | null
  /** When it concerns some of them only. */
  readonly audience?: Audience
}

/** The pages of the product: files under `schemas/`, and before them what a tenant published. */
export interface PageLibrary {
  /** The page's own path for a route, an alias or itself. */
  pathOf(path: string): string
  /** The file's page, its last good version; null when there never was one. */
  fromFile(path: string): PageVersion | null
  /**
   * The tenant's published override, otherwise the file's page. Works inside the caller's transaction.
   * @param reader  who may have another one to try
   */
  find(trx: Trx, tenantId: string, path: string, reader?: Reader): Promise<PageVersion | null>
  /** What the tenant has published, by path, without its own fields in it. */
  published(trx: Trx, tenantId: string): Promise<ReadonlyMap<string, PageVersion>>
  /** Every page the tenant has, as {@link find} answers it. */
  all(trx: Trx, tenantId: string, reader?: Reader): Promise<readonly PageVersion[]>
  /** The page as it is without anything published in its place: the file's, or the one that follows from an own module; null when there is none. */
  shipped(trx: Trx, tenantId: string, path: string): Promise<ShippedPage | null>
  /** A document as the tenant would be given it: what it refers to in place, the tenant's own fields in it. */
  served(trx: Trx, tenantId: string, document: Json): Promise<Json>
  /** A document with what it refers to in place, checked; each problem where it was written. */
  check(path: string, document: Json, check: CheckPage): Checked
  /** Every address that opens one of the files' pages. */
  addresses(): ReadonlySet<string>
  /** Parts that pages may refer to, as they are written, by name. */
  fragments(): ReadonlyMap<string, Json>
  /** What the table of routes says of a page: its title, and the addresses that open it. */
  routeOf(path: string): PageRoute
  /** What is wrong with the file as it is now. */
  problemsOf(path: string): readonly PageProblem[]
  /** Every page whose file has faults now. */
  broken(): readonly PageBroken[]
  paths(): readonly string[]
  subscribe(heard: (announcement: Announcement) => void): () => void
  close(): Promise<void>
}

/** A page of the product. */
export interface ShippedPage {
  /** As it is written. */
  readonly document: Json
  /** The file; null where no file holds it. */
  readonly text: string | null
  /** As it would be served. */
  readonly etag: string
}

interface PageRoute {
  readonly title: string
  readonly addresses: readonly string[]
}

interface Checked {
  /** With what it refers to in place. */
  readonly document: Json
  readonly problems: readonly (Problem & Origin)[]
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
  /** A page's file has faults, others than before. */
  readonly onBroken: (broken: PageBroken) => void
  /** Pages that follow from what a tenant records; none without them. */
  readonly own?: OwnPages
  /** What earlier starts have judged. */
  readonly faultless?: Faultless | undefined
}

/** Pages of a tenant that no file holds. */
interface OwnPages {
  /** @param referred  what its references stand for; absent: the page as it is written */
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
    check(path, content, check) {
      const { document, problems } = checkedPage(content, fileOf(path), files.referred, check)
      return { document, problems }
    },
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

/** Path of a page that is not served yet. */
const NOWHERE = '/pages/x/draft'

/** What tenants published since a moment, as it would have been announced; a page that is the product's again among it. */
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

/** Tells every server, once the transaction commits, that the tenant's page is another one now; `etag` is '' where there is none. */
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

/** A page as it last was without faults, and what it was made of; without files, one with faults that opens all the same. */
interface Good {
  readonly page: PageVersion
  readonly parts: Parts | null
}

/** A page whose file has faults stays as it was; one whose file is gone goes. */
function keepGood(files: PageFiles, good: Map<string, Good>): void {
  for (const path of good.keys()) if (!files.pages.has(path)) good.delete(path)
  for (const [path, page] of files.pages)
    if (!isProblems(page)) good.set(path, { page, parts: files.parts.get(path) ?? null })
  for (const [path, page] of files.opening) if (!good.has(path)) good.set(path, { page, parts: null })
}

/** The pages at the start: those with faults as they last were without, otherwise as they are if they open. */
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
