import type { WidgetRegistry } from '../../../runtime/core/page/widget-spec.ts'
import type { Clock } from '../../../runtime/core/ports.ts'
import type { ViewRegistry } from '../../../runtime/react/page/view-registry.ts'
import { fetchSources } from '../../../runtime/react/rows/sources-part.tsx'
import { GUESTS } from '../../contract/workbench-widget.ts'
import type { AppSession } from '../session/session.ts'
import type { PageSource } from './page-source.ts'

/** Fields that most forms have, including those of the login form. */
const COMMON_FIELDS = new Set(['number', 'select', 'switch', 'date', 'datetime', 'textarea', 'radio'])

interface PrefetchParts {
  readonly clock: Clock
  /** Nothing is loaded ahead until this time after the last page was opened. */
  readonly restMs: number
  /** The browser's data saver is on: parts and pages are loaded when they are needed, not before. */
  readonly savesData: boolean
  readonly session: Pick<AppSession, 'token'>
  readonly registry: Pick<WidgetRegistry, 'list'>
  readonly views: Pick<ViewRegistry, 'prepare'>
  readonly source: Pick<PageSource, 'saveAll'>
  /** Runs after pages and views are loaded, whether or not somebody is signed in. */
  readonly cacheShell: () => Promise<void>
  readonly onSignedIn: () => void
}

export interface Prefetch {
  /**
   * A page is being opened. Once, after no page has been opened for a while: loads what the next pages will most likely need, most of it only if
   * somebody is signed in. It pauses whenever another page is opened: on a slow phone each would take half as long again.
   */
  moved(): void
  /** Starts over for the next user. */
  forget(): void
}

export function createPrefetch(parts: PrefetchParts): Prefetch {
  const { clock, session, registry, views, savesData } = parts
  let started = false
  /** Increases with each user: what was begun for one of them ends with them. */
  let visit = 0
  let movedAt = 0

  async function rest(): Promise<void> {
    const left = () => movedAt + parts.restMs - clock.now()
    while (left() > 0) await new Promise<void>((done) => clock.after(left(), done))
  }

  async function fetchViews(): Promise<void> {
    const drawn = registry
      .list()
      .filter(({ kind, type }) =>
        kind === 'field' ? COMMON_FIELDS.has(type) : !GUESTS.some((guest) => guest.type === type),
      )
    await Promise.all([fetchSources(), views.prepare(drawn.map(({ type }) => type))])
  }

  async function fetchAhead(): Promise<void> {
    const mine = visit
    await rest()
    if (mine !== visit) return
    if (!savesData) {
      await fetchViews()
      if (session.token() !== null) await parts.source.saveAll(rest)
      await rest()
    }
    await parts.cacheShell()
    if (session.token() !== null) parts.onSignedIn()
  }

  return {
    moved() {
      movedAt = clock.now()
      if (started) return
      if (session.token() === null) {
        // After login a page with data is opened.
        if (!savesData) clock.after(parts.restMs, () => void fetchSources())
        return
      }
      started = true
      void fetchAhead()
    },
    forget() {
      started = false
      visit += 1
    },
  }
}
