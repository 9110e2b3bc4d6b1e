import type { Failure } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { isObject, sameJson, valueAt } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { Http, Storage } from '../../../runtime/core/ports.ts'
import { type AuthorProblem, readProblems } from './live.ts'

/** What is known of one page document. */
interface PageState {
  /** The last version without errors. */
  readonly page: Page | null
  /** What keeps the newest version from opening; empty when it is the one in `page`. */
  readonly problems: readonly AuthorProblem[]
  readonly failure: Failure | null
}

export interface PageSource {
  get(path: string): PageState
  subscribe(path: string, listener: () => void): () => void
  /** Asks the server; calls for one path at one time share the answer. */
  load(path: string): Promise<void>
  /** Asks the server unless nothing can have changed: asked within the last minute, every change heard of since. */
  freshen(path: string): Promise<void>
  /** The server says that a page's file is broken; without problems, that it is mended. */
  report(path: string, problems: readonly AuthorProblem[]): void
  /** What the server said is broken may be mended by now: it reports what still is. */
  forgetReports(): void
  /** Takes over the pages of the last visit, so that they open at once. */
  restore(): Promise<void>
  /** Fetches every page the user may open, so that each opens without a network too. */
  loadAll(): Promise<void>
  /** Another language is in force: pages that bring texts of their own are read again. */
  relabel(): void
  /** Paths known so far. */
  paths(): readonly string[]
  clear(): void
}

export interface PageSourceOptions {
  readonly http: Http
  readonly storage: Storage
  /** Tenant and user at the time of the call: what the server leaves in a page depends on their rights. */
  readonly owner: () => string
  readonly url: string
  /** Where all pages come in one answer. */
  readonly bundleUrl: string
  readonly timeoutMs: number
  readonly now: () => number
  /** Since when every change of a page has been heard of; null: changes are not heard of now. */
  readonly heardSince: () => number | null
  readonly parse: (document: Json) => {
    readonly page: Page | null
    readonly problems: readonly AuthorProblem[]
  }
}

const EMPTY: PageState = { page: null, problems: [], failure: null }
const SAVED = 'pages'
/** What is not announced (a right taken from the user changes what the server leaves in a page) is seen after this long. */
const FRESH_MS = 60_000

/** Page documents: shown from memory or the device at once, asked for again each time they open (stale while revalidating). */
export function createPageSource(options: PageSourceOptions): PageSource {
  const states = new Map<string, PageState>()
  const documents = new Map<string, Json>()
  const listeners = new Map<string, Set<() => void>>()
  const running = new Map<string, Promise<void>>()
  const checked = new Map<string, number>() // when the last good answer was asked for
  /** What the server says is wrong with files; the page it gives is the last good one, however often it is asked for. */
  const reported = new Map<string, readonly AuthorProblem[]>()

  function get(path: string): PageState {
    const state = own(path)
    const problems = reported.get(path)
    return problems === undefined ? state : { ...state, problems, failure: null }
  }

  /** What the document itself says. One of the last visit is parsed when its page is first asked for. */
  function own(path: string): PageState {
    const known = states.get(path)
    const document = documents.get(path)
    if (known !== undefined || document === undefined) return known ?? EMPTY
    const state = { ...parsed(document), failure: null }
    states.set(path, state)
    return state
  }

  function set(path: string, state: PageState): void {
    states.set(path, state)
    tell(path)
  }

  function tell(path: string): void {
    for (const listener of [...(listeners.get(path) ?? [])]) listener()
  }

  function report(path: string, problems: readonly AuthorProblem[]): void {
    if (problems.length > 0) reported.set(path, problems)
    else if (!reported.delete(path)) return
    tell(path)
  }

  /** A broken version never takes the place of the last good one. Answers whether the document is another one now. */
  function take(path: string, document: Json): boolean {
    const known = own(path)
    if (sameJson(documents.get(path), document) && known.failure === null) {
      if (known.problems.length > 0 && known.page !== null)
        set(path, { ...known, problems: parsed(document).problems })
      return false
    }
    documents.set(path, document)
    const { page, problems } = parsed(document)
    set(path, { page: page ?? known.page, problems, failure: null })
    return true
  }

  function parsed(document: Json): {
    readonly page: Page | null
    readonly problems: readonly AuthorProblem[]
  } {
    const { page, problems } = options.parse(document)
    return { page, problems: page === null ? problems : [] }
  }

  async function ask(path: string): Promise<void> {
    const at = options.now()
    const url = `${options.url}?path=${encodeURIComponent(path)}`
    const outcome = await options.http.send({ url, method: 'GET', timeoutMs: options.timeoutMs })
    if (!outcome.ok) {
      // The server's only version may be broken: then it answers what is wrong with it.
      const { data } = outcome.error
      const problems = isObject(data) ? readProblems(data.problems) : []
      set(
        path,
        problems.length > 0
          ? { ...own(path), problems, failure: null }
          : { ...own(path), failure: outcome.error },
      )
      return
    }
    checked.set(path, at)
    const changed = take(path, outcome.value.data)
    if (changed && own(path).problems.length === 0) await save()
  }

  function isFresh(path: string): boolean {
    const at = checked.get(path)
    const since = options.heardSince()
    return at !== undefined && since !== null && since <= at && options.now() - at < FRESH_MS
  }

  function load(path: string): Promise<void> {
    const task = running.get(path) ?? ask(path).finally(() => running.delete(path))
    running.set(path, task)
    return task
  }

  const save = () =>
    options.storage.set(SAVED, { owner: options.owner(), documents: Object.fromEntries(documents) })

  return {
    get,
    subscribe(path, listener) {
      const known = listeners.get(path) ?? new Set()
      listeners.set(path, known.add(listener))
      return () => known.delete(listener)
    },
    load,
    freshen: async (path) => {
      if (!isFresh(path)) await load(path)
    },
    report,
    forgetReports() {
      for (const path of [...reported.keys()]) report(path, [])
    },
    async restore() {
      const saved = await options.storage.get(SAVED)
      if (!isObject(saved) || saved.owner !== options.owner() || !isObject(saved.documents)) return
      for (const [path, document] of Object.entries(saved.documents)) {
        if (document === undefined || documents.has(path)) continue
        documents.set(path, document)
        states.delete(path)
        if (listeners.has(path)) set(path, own(path))
      }
    },
    async loadAll() {
      const outcome = await options.http.send({ url: options.bundleUrl, method: 'GET' })
      const pages = outcome.ok ? valueAt(outcome.value.data, 'pages') : undefined
      if (!isObject(pages)) return
      for (const [path, document] of Object.entries(pages)) {
        // A page that is open asks by itself; one that is just being opened may have its document here first.
        if (document === undefined || states.has(path)) continue
        documents.set(path, document)
        if (listeners.has(path)) set(path, own(path))
      }
      await save()
    },
    relabel() {
      for (const [path, { page }] of [...states]) {
        const document = documents.get(path)
        if (page?.settings.texts !== undefined && document !== undefined)
          set(path, { ...own(path), ...parsed(document) })
      }
    },
    paths: () => [...states.keys()],
    clear() {
      documents.clear()
      checked.clear()
      reported.clear()
      for (const path of [...states.keys()]) {
        states.delete(path)
        running.delete(path)
      }
      void options.storage.remove(SAVED)
    },
  }
}
