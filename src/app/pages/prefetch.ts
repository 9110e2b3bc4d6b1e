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
  const { session, registry, views } = parts
  let started = false
  return {
    start() {
      if (started) return
      if (session.token() === null) {
        // After login a page with data is opened.
        browserClock.after(parts.delayMs, () => void fetchSources())
        return
      }
      started = true
      const drawn = registry
        .list()
        .filter(({ kind, type }) =>
          kind === 'field' ? COMMON_FIELDS.has(type) : !GUESTS.some((guest) => guest.type === type),
        )
      browserClock.after(parts.delayMs, async () => {
        await Promise.all([fetchSources(), views.prepare(drawn.map(({ type }) => type))])
        if (session.token() !== null) await parts.source.loadAll()
        await parts.cacheShell()
        if (session.token() !== null) parts.onSignedIn()
      })
    },
    forget() {
      started = false
    },
  }
}
