import { isObject, valueAt } from '../../../runtime/core/json.ts'
import type { Http, Storage } from '../../../runtime/core/ports.ts'
import { type AuthorProblem, readProblems } from './live.ts'
import { createPageDocuments, type PageState, type ParsePage } from './page-documents.ts'

export interface PageSource {
  get(path: string): PageState
  subscribe(path: string, listener: () => void): () => void
  /** Requests the page; concurrent calls for one path share the answer. */
  load(path: string): Promise<void>
  /** Requests the page unless nothing can have changed: it was requested within the last minute and every change since was received. */
  freshen(path: string): Promise<void>
  /** The server reports faults in a page's file; none: they are fixed. */
  report(path: string, problems: readonly AuthorProblem[]): void
  /** Forgets the reported faults, which may be fixed by now: the server reports those that remain. */
  forgetReports(): void
  /** Loads the pages of the last visit, so that they open immediately. */
  restore(): Promise<void>
  /** Loads every page the user may open, so that each opens without network. */
  loadAll(): Promise<void>
  /** The language has changed: pages with their own texts are loaded again. */
  relabel(): void
  /** Paths of all known pages. */
  paths(): readonly string[]
  clear(): void
}

export interface PageSourceOptions {
  readonly http: Http
  readonly storage: Storage
  /** Tenant and user at the time of the call: the server removes parts of a page by their rights. */
  readonly owner: () => string
  readonly url: string
  /** The url that returns all pages in one answer. */
  readonly bundleUrl: string
  readonly timeoutMs: number
  readonly now: () => number
  /** Time since which no change of a page can have been missed; null: changes are not received now. */
  readonly heardSince: () => number | null
  readonly parse: ParsePage
}

const SAVED = 'pages'
/** Unannounced changes (a right taken from the user changes what the server leaves in a page) are seen after this time. */
const FRESH_MS = 60_000

/** Page documents, from memory or the device immediately, and requested again each time they open (stale while revalidating). */
export function createPageSource(options: PageSourceOptions): PageSource {
  const documents = createPageDocuments(options.parse)
  const { stateOf, set } = documents
  const running = new Map<string, Promise<void>>()
  const checked = new Map<string, number>() // time of the request of the last good answer

  async function fetchDocument(path: string): Promise<void> {
    const at = options.now()
    const url = `${options.url}?path=${encodeURIComponent(path)}`
    const outcome = await options.http.send({ url, method: 'GET', timeoutMs: options.timeoutMs })
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
    const changed = documents.update(path, outcome.value.data)
    if (changed && stateOf(path).problems.length === 0) await save()
  }

  function isFresh(path: string): boolean {
    const at = checked.get(path)
    const since = options.heardSince()
    return at !== undefined && since !== null && since <= at && options.now() - at < FRESH_MS
  }

  function load(path: string): Promise<void> {
    const task = running.get(path) ?? fetchDocument(path).finally(() => running.delete(path))
    running.set(path, task)
    return task
  }

  const save = () => options.storage.set(SAVED, { owner: options.owner(), documents: documents.all() })

  return {
    get: documents.get,
    subscribe: documents.subscribe,
    load,
    freshen: async (path) => {
      if (!isFresh(path)) await load(path)
    },
    report: documents.report,
    forgetReports: documents.forgetReports,
    async restore() {
      const saved = await options.storage.get(SAVED)
      if (!isObject(saved) || saved.owner !== options.owner() || !isObject(saved.documents)) return
      for (const [path, document] of Object.entries(saved.documents))
        if (document !== undefined && !documents.isThere(path)) documents.store(path, document)
    },
    async loadAll() {
      const outcome = await options.http.send({ url: options.bundleUrl, method: 'GET' })
      const pages = outcome.ok ? valueAt(outcome.value.data, 'pages') : undefined
      if (!isObject(pages)) return
      // An open page makes its own request; for one that is just being opened this answer may be the first.
      for (const [path, document] of Object.entries(pages))
        if (document !== undefined && documents.isUnread(path)) documents.store(path, document)
      await save()
    },
    relabel: documents.relabel,
    paths: documents.paths,
    clear() {
      for (const path of documents.paths()) running.delete(path)
      documents.clear()
      checked.clear()
      void options.storage.remove(SAVED)
    },
  }
}
