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
    const state = own(path)
    const problems = reported.get(path)
    return problems === undefined ? state : { ...state, problems, failure: null }
  }

  /** The state by the document itself. One of the last visit is parsed at its first use. */
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

  /** A broken version never replaces the last good one. @returns whether the document has changed */
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

  function parsed(document: Json): ReturnType<ParsePage> {
    const { page, problems } = parse(document)
    return { page, problems: page === null ? problems : [] }
  }

  /** Stores a document and updates those who show its page. */
  function put(path: string, document: Json): void {
    documents.set(path, document)
    states.delete(path)
    if (listeners.has(path)) set(path, own(path))
  }

  return {
    get,
    own,
    set,
    take,
    report,
    put,
    /** Neither parsed nor shown yet. */
    isUnread: (path: string) => !states.has(path),
    isThere: (path: string) => documents.has(path),
    all: () => Object.fromEntries(documents),
    paths: () => [...states.keys()],
    subscribe(path: string, listener: () => void) {
      const known = listeners.get(path) ?? new Set()
      listeners.set(path, known.add(listener))
      return () => known.delete(listener)
    },
    forgetReports() {
      for (const path of [...reported.keys()]) report(path, [])
    },
    relabel() {
      for (const [path, { page }] of [...states]) {
        const document = documents.get(path)
        if (page?.settings.texts !== undefined && document !== undefined)
          set(path, { ...own(path), ...parsed(document) })
      }
    },
    clear() {
      documents.clear()
      reported.clear()
      states.clear()
    },
  }
}
