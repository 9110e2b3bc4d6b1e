import { createElement } from 'react'
import { RuntimeError } from '../../core/errors.ts'
import { fetchPart } from './fetch-part.ts'
import type { View } from './view.ts'

/** A view that is loaded when a page first needs it. */
export interface LazyView {
  readonly load: () => Promise<{ readonly View: View }>
}

interface ViewOptions {
  /** Outside of the flow (bars, sheets), and always mounted. */
  readonly pinned?: boolean
}

/** The only registry of views, for ours and for those of guests. */
export interface ViewRegistry {
  /** @throws WIDGET_REPEATED if the type has a view already */
  register(type: string, view: View | LazyView, options?: ViewOptions): void
  /** The view once it is loaded; undefined before, or if there is none. */
  get(type: string): View | undefined
  list(): readonly string[]
  isPinned(type: string): boolean
  /** Loads the views of these types; null if all are loaded. */
  prepare(types: Iterable<string>): Promise<void> | null
}

interface Entry {
  view: View | undefined
  readonly load: LazyView['load'] | undefined
  failed: boolean
  readonly pinned: boolean
}

/** An empty registry of views. */
export function createViews(): ViewRegistry {
  const entries = new Map<string, Entry>()
  return {
    register(type, view, { pinned = false } = {}) {
      if (entries.has(type)) throw new RuntimeError('WIDGET_REPEATED', { type })
      const lazy = typeof view === 'object' && 'load' in view
      entries.set(type, {
        view: lazy ? undefined : (view as View),
        load: lazy ? view.load : undefined,
        failed: false,
        pinned,
      })
    },
    get: (type) => entries.get(type)?.view,
    list: () => [...entries.keys()],
    isPinned: (type) => entries.get(type)?.pinned === true,
    prepare(types) {
      const missing = [...new Set(types)].flatMap((type) => {
        const entry = entries.get(type)
        const needsFetch = entry?.load !== undefined && (entry.view === undefined || entry.failed)
        return entry && needsFetch ? [fetchView(entry)] : []
      })
      return missing.length === 0 ? null : Promise.all(missing).then(() => undefined)
    },
  }
}

/** A view that cannot be loaded is replaced by an error message, so that the rest of the page opens. */
async function fetchView(entry: Entry): Promise<void> {
  if (entry.load === undefined) return
  try {
    entry.view = (await fetchPart(entry.load)).View
    entry.failed = false
  } catch (cause) {
    entry.failed = true // the next page that needs it loads it again
    entry.view = () => createElement(Broken, { cause })
  }
}

function Broken({ cause }: { readonly cause: unknown }): never {
  throw cause
}
