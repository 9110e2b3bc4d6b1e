import { browserClock } from '../../../runtime/browser/clock.ts'
import type { WidgetRegistry } from '../../../runtime/core/page/widget-spec.ts'
import type { ViewRegistry } from '../../../runtime/react/page/view-registry.ts'
import { fetchSources } from '../../../runtime/react/rows/sources-part.tsx'
import { GUESTS } from '../../contract/workbench-widget.ts'
import type { AppSession } from '../session/session.ts'
import type { PageSource } from './page-source.ts'

/** Fields that most forms have, including those of the login form. */
const COMMON_FIELDS = new Set(['number', 'select', 'switch', 'date', 'datetime', 'textarea', 'radio'])

interface PrefetchParts {
  readonly delayMs: number
  /** The browser's data saver is on: parts and pages are loaded when they are needed, not before. */
  readonly savesData: boolean
  readonly session: AppSession
  readonly registry: WidgetRegistry
  readonly views: ViewRegistry
  readonly source: PageSource
  /** Runs after pages and views are loaded, whether or not somebody is signed in. */
  readonly cacheShell: () => Promise<void>
  readonly onSignedIn: () => void
}

export interface Prefetch {
  /** After the visible page had time to load: loads what the next pages will most likely need, most of it only if somebody is signed in. */
  start(): void
  /** Starts over for the next user. */
  forget(): void
}

export function createPrefetch(parts: PrefetchParts): Prefetch {
  const { session, registry, views, savesData } = parts
  let started = false

  async function fetchAhead(): Promise<void> {
    const drawn = registry
      .list()
      .filter(({ kind, type }) =>
        kind === 'field' ? COMMON_FIELDS.has(type) : !GUESTS.some((guest) => guest.type === type),
      )
    await Promise.all([fetchSources(), views.prepare(drawn.map(({ type }) => type))])
    if (session.token() !== null) await parts.source.loadAll()
  }

  return {
    start() {
      if (started) return
      if (session.token() === null) {
        // After login a page with data is opened.
        if (!savesData) browserClock.after(parts.delayMs, () => void fetchSources())
        return
      }
      started = true
      browserClock.after(parts.delayMs, async () => {
        if (!savesData) await fetchAhead()
        await parts.cacheShell()
        if (session.token() !== null) parts.onSignedIn()
      })
    },
    forget() {
      started = false
    },
  }
}
