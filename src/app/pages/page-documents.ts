import type { Failure } from '../../../runtime/core/errors.ts'
import { type Json, sameJson } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { AuthorProblem } from './live.ts'

/** The state of one page document. */
export interface PageState {
  /** The last version without errors. */
  readonly page: Page | null
  /** The faults of the newest version; empty if it is the one in `page`. */
  readonly problems: readonly AuthorProblem[]
  readonly failure: Failure | null
}

/** The result of parsing a document. */
export type ParsePage = (document: Json) => {
  readonly page: Page | null
  readonly problems: readonly AuthorProblem[]
}

const EMPTY: PageState = { page: null, problems: [], failure: null }

/** The page documents of this visit. Each is parsed at its first use; the last good version is shown. */
export function createPageDocuments(parse: ParsePage) {
  const states = new Map<string, PageState>()
  const documents = new Map<string, Json>()
  const listeners = new Map<string, Set<() => void>>()
  /** Faults reported by the server; the page it returns is the last good version, however often it is requested. */
  const reported = new Map<string, readonly AuthorProblem[]>()

  function get(path: string): PageState {
    const state = stateOf(path)
    const problems = reported.get(path)
    return problems === undefined ? state : { ...state, problems, failure: null }
  }

  /** The state by the document itself. One of the last visit is parsed at its first use. */
  function stateOf(path: string): PageState {
    const existing = states.get(path)
    const document = documents.get(path)
    if (existing !== undefined || document === undefined) return existing ?? EMPTY
    const state = { ...parsed(document), failure: null }
    states.set(path, state)
    return state
  }

  function set(path: string, state: PageState): void {
    states.set(path, state)
    notify(path)
  }

  function notify(path: string): void {
    for (const listener of [...(listeners.get(path) ?? [])]) listener()
  }

  function report(path: string, problems: readonly AuthorProblem[]): void {
    if (problems.length > 0) reported.set(path, problems)
    else if (!reported.delete(path)) return
    notify(path)
  }

  /** A broken version never replaces the last good one. @returns whether the document has changed */
  function update(path: string, document: Json): boolean {
    const existing = stateOf(path)
    if (sameJson(documents.get(path), document) && existing.failure === null) {
      if (existing.problems.length > 0 && existing.page !== null)
        set(path, { ...existing, problems: parsed(document).problems })
      return false
    }
    documents.set(path, document)
    const { page, problems } = parsed(document)
    set(path, { page: page ?? existing.page, problems, failure: null })
    return true
  }

  function parsed(document: Json): ReturnType<ParsePage> {
    const { page, problems } = parse(document)
    return { page, problems: page === null ? problems : [] }
  }

  /** Stores a document and updates those who show its page. */
  function store(path: string, document: Json): void {
    documents.set(path, document)
    states.delete(path)
    if (listeners.has(path)) set(path, stateOf(path))
  }

  return {
    get,
    stateOf,
    set,
    update,
    report,
    store,
    /** Somebody waits for it. */
    isAwaited: (path: string) => listeners.has(path) && !states.has(path),
    isThere: (path: string) => documents.has(path),
    subscribe(path: string, listener: () => void) {
      const existing = listeners.get(path) ?? new Set()
      listeners.set(path, existing.add(listener))
      return () => {
        if (existing.delete(listener) && existing.size === 0) listeners.delete(path)
      }
    },
    forgetReports() {
      for (const path of [...reported.keys()]) report(path, [])
    },
    relabel() {
      for (const [path, { page }] of [...states]) {
        const document = documents.get(path)
        if (page?.settings.texts !== undefined && document !== undefined)
          set(path, { ...stateOf(path), ...parsed(document) })
      }
    },
    clear() {
      documents.clear()
      reported.clear()
      states.clear()
    },
  }
}
