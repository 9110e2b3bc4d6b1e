import type { Clock, Http, HttpRequest, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'

/** Events of an open page that are counted. */
export type PageEvent = 'opened' | 'faults' | 'killed' | 'submits'

export interface PageHealth {
  note(path: string, event: PageEvent): void
  /** Sends the counts. */
  flush(): void
}

interface Counts extends Record<PageEvent, number> {
  failed: number
  readonly since: number
}

export interface PageHealthOptions {
  readonly http: Pick<Http, 'send'>
  readonly clock: Clock
  readonly url: string
  /** False: nobody is signed in. */
  readonly isKnown: () => boolean
}

const SEND_AFTER_MS = 15_000
/** Maximum number of pages in one report. */
const MAX_PAGES = 30

/** Counts openings of pages and their errors, and reports them from time to time: only counts, no contents. */
export function createPageHealth({ http, clock, url, isKnown }: PageHealthOptions): PageHealth {
  let counts = new Map<string, Counts>()
  /** Pages that failed to open already: a failure counts once, however often it is reported. */
  const failing = new Set<string>()
  let cancel: (() => void) | null = null
  const flush = (): void => {
    cancel?.()
    cancel = null
    const now = clock.now()
    const pages = [...counts].slice(0, MAX_PAGES).map(([path, { since, ...numbers }]) => ({
      path,
      ...numbers,
      age: Math.max(0, Math.round(now - since)),
    }))
    counts = new Map()
    // Lost counts are not worth a second attempt.
    if (pages.length > 0 && isKnown()) void http.send({ method: 'POST', url, body: { pages } })
  }
  const countsOf = (path: string): Counts => {
    const existing = counts.get(path)
    if (existing !== undefined) return existing
    const made = {
      opened: 0,
      failed: 0,
      faults: 0,
      killed: 0,
      submits: 0,
      since: clock.now(),
    }
    counts.set(path, made)
    return made
  }
  return {
    note(path, event) {
      // Each opening is of one version: the counts of the previous one are sent first.
      if (event === 'opened' && (counts.get(path)?.opened ?? 0) > 0) flush()
      const now = countsOf(path)
      now[event] += 1
      if (event === 'opened') failing.delete(path)
      else if (!failing.has(path)) {
        now.failed += 1
        failing.add(path)
      }
      cancel ??= clock.after(SEND_AFTER_MS, flush)
    },
    flush,
  }
}

/** A form that the server refused, without a fault of a field or of the network. */
export function isFailedSubmit(
  { headers }: Pick<HttpRequest, 'headers'>,
  outcome: Outcome<HttpResponse>,
  header: string,
): boolean {
  if (outcome.ok || headers?.[header] === undefined) return false
  const { code, type, fields } = outcome.error
  if (code === 'HTTP_STATUS' || code === 'ANSWER_INVALID') return true
  return type === 'VALIDATION' && Object.keys(fields ?? {}).length === 0
}
