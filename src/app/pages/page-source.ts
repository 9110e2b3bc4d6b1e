import { isObject, type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import type { DeviceStorage } from '../storage/device-storage.ts'
import { type AuthorProblem, readProblems } from './live.ts'
import { createPageDocuments, type PageState, type ParsePage } from './page-documents.ts'
import { createSavedPages } from './saved-pages.ts'

export interface PageSource {
  get(path: string): PageState
  subscribe(path: string, listener: () => void): () => void
  /** Requests the page, and shows the device's version until it comes; concurrent calls for one path share the answer. */
  load(path: string): Promise<void>
  /** Requests the page unless nothing can have changed: it was requested within the last minute and every change since was received. */
  freshen(path: string): Promise<void>
  /** Requests the page because it has changed: again, if a request is under way whose answer may be older. */
  changed(path: string): Promise<void>
  /** The server reports faults in a page's file; none: they are fixed. */
  report(path: string, problems: readonly AuthorProblem[]): void
  /** Forgets the reported faults, which may be fixed by now: the server reports those that remain. */
  forgetReports(): void
  /**
   * Saves every page the user may open on the device, so that each opens without network. A dozen at a time: at once they are 1.6 MB, which stop a
   * slow phone for most of a second.
   * @param rest  resolves when the next dozen may be requested
   */
  saveAll(rest: () => Promise<void>): Promise<void>
  /** The language has changed: pages with their own texts are loaded again. */
  relabel(): void
  clear(): void
}

export interface PageSourceOptions {
  readonly http: Http
  readonly storage: DeviceStorage
  /** Tenant and user at the time of the call: the server removes parts of a page by their rights. */
  readonly owner: () => string
  readonly url: string
  /** The url that returns all pages, or some of them (`limit`, `after`). */
  readonly bundleUrl: string
  readonly timeoutMs: number
  readonly now: () => number
  /** Time since which no change of a page can have been missed; null: changes are not received now. */
  readonly heardSince: () => number | null
  readonly parse: ParsePage
}

/** Number of pages requested at once by `saveAll`. */
const PART = 12
/** Unannounced changes (a right taken from the user changes what the server leaves in a page) are seen after this time. */
const FRESH_MS = 60_000

interface Part {
  readonly pages: JsonObject
  /** The path after which the next part begins; null: this was the last. */
  readonly next: string | null
  /** Identifies all pages, not only these. */
  readonly etag: string | undefined
}

/** Page documents, from memory or the device immediately, and requested again each time they open (stale while revalidating). */
export function createPageSource(options: PageSourceOptions): PageSource {
  const documents = createPageDocuments(options.parse)
  const { stateOf, set } = documents
  const running = new Map<string, Promise<void>>()
  const outdated = new Set<string>() // changed since their running request was sent
  const checked = new Map<string, number>() // time of the request of the last good answer
  const saved = createSavedPages(options.storage, options.owner)
  let visits = 0

  async function showSaved(path: string): Promise<void> {
    const visit = visits
    const document = await saved.read(path)
    if (document !== undefined && visit === visits && !documents.isThere(path))
      documents.store(path, document)
  }

  async function fetchDocument(path: string): Promise<void> {
    const at = options.now()
    const visit = visits
    const shown = documents.isThere(path) ? null : showSaved(path)
    const url = `${options.url}?path=${encodeURIComponent(path)}`
    const outcome = await options.http.send({ url, method: 'GET', timeoutMs: options.timeoutMs })
    if (!outcome.ok) await shown
    if (visit !== visits) return // it was for the last user
    if (!outcome.ok) {
      // If the only version is broken, the server answers with its faults.
      const { data } = outcome.error
      const problems = isObject(data) ? readProblems(data.problems) : []
      set(
        path,
        problems.length > 0
          ? { ...stateOf(path), problems, failure: null }
          : { ...stateOf(path), failure: outcome.error },
      )
      return
    }
    checked.set(path, at)
    const document = outcome.value.data
    const changed = documents.update(path, document)
    if (changed && stateOf(path).problems.length === 0) await saved.save(path, document)
  }

  async function fetchNewest(path: string): Promise<void> {
    const visit = visits
    do {
      outdated.delete(path)
      await fetchDocument(path)
    } while (visit === visits && outdated.has(path))
    if (visit !== visits && documents.isAwaited(path)) await load(path)
  }

  function isFresh(path: string): boolean {
    const at = checked.get(path)
    const since = options.heardSince()
    return at !== undefined && since !== null && since <= at && options.now() - at < FRESH_MS
  }

  function load(path: string): Promise<void> {
    const existing = running.get(path)
    if (existing !== undefined) return existing
    const task = fetchNewest(path).finally(() => {
      if (running.get(path) === task) running.delete(path)
    })
    running.set(path, task)
    return task
  }

  /** The pages after this path in the order of their paths; null if there was no answer, or none is needed as all are still those of `etag`. */
  async function fetchPart(after: string, etag: string | undefined): Promise<Part | null> {
    const url = `${options.bundleUrl}?limit=${PART}&after=${encodeURIComponent(after)}`
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-None-Match': etag }
    const outcome = await options.http.send({ url, method: 'GET', headers })
    if (!outcome.ok) return null
    const pages = valueAt(outcome.value.data, 'pages')
    const next = valueAt(outcome.value.data, 'next')
    return isObject(pages)
      ? { pages, next: typeof next === 'string' ? next : null, etag: outcome.value.headers.etag }
      : null
  }

  return {
    get: documents.get,
    subscribe: documents.subscribe,
    load,
    changed(path) {
      if (running.has(path)) outdated.add(path)
      return load(path)
    },
    freshen: async (path) => {
      if (!isFresh(path)) await load(path)
    },
    report: documents.report,
    forgetReports: documents.forgetReports,
    async saveAll(rest) {
      const visit = visits
      const before = await saved.completeAs()
      const etags = new Set<string | undefined>()
      for (let after: string | null = ''; after !== null; ) {
        await rest()
        if (visit !== visits) return
        const part: Part | null = await fetchPart(after, after === '' ? before : undefined)
        if (part === null) return
        for (const [path, document] of Object.entries(part.pages)) {
          if (visit !== visits) return
          if (document === undefined) continue
          // A page that is just being opened makes its own request, but this answer may be the first.
          if (documents.isAwaited(path)) documents.store(path, document)
          await saved.save(path, document)
        }
        etags.add(part.etag)
        after = part.next
      }
      // Two: a page has changed meanwhile, and the next visit loads them all again.
      const [etag] = etags
      if (etag !== undefined && etags.size === 1 && visit === visits) await saved.complete(etag)
    },
    relabel: documents.relabel,
    clear() {
      running.clear()
      outdated.clear()
      documents.clear()
      checked.clear()
      visits += 1
      void saved.clear()
    },
  }
}
