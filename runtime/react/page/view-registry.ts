import { createElement } from 'react'
import { RuntimeError } from '../../core/errors.ts'
import { fetchPart } from './fetch-part.ts'
import type { View, ViewProps } from './view.ts'

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
  /** Draws the view in places that it is missing from; null unless its code could not be loaded. */
  arrive: ((view: View) => void) | null
  readonly pinned: boolean
}

/** Thrown in place of a view whose code could not be loaded. */
export class ViewMissing extends Error {
  /**
   * @param loaded  resolves when the code has been loaded after all
   * @param retry   loads all missing views again; also resolves on failure
   */
  constructor(
    cause: unknown,
    readonly loaded: Promise<void>,
    readonly retry: () => Promise<void>,
  ) {
    super('the code of a view could not be loaded', { cause })
  }
}

/** An empty registry of views. */
export function createViews(): ViewRegistry {
  const entries = new Map<string, Entry>()
  const load = (some: readonly Entry[]): Promise<void> | null => {
    const missing = some.flatMap((entry) =>
      entry.load !== undefined && (entry.view === undefined || entry.arrive !== null)
        ? [fetchView(entry, entry.load, retry)]
        : [],
    )
    return missing.length === 0 ? null : Promise.all(missing).then(() => undefined)
  }
  const retry = async () => {
    await load([...entries.values()].filter(({ arrive }) => arrive !== null))
  }
  return {
    register(type, view, { pinned = false } = {}) {
      if (entries.has(type)) throw new RuntimeError('WIDGET_REPEATED', { type })
      const lazy = typeof view === 'object' && 'load' in view
      entries.set(type, {
        view: lazy ? undefined : (view as View),
        load: lazy ? view.load : undefined,
        arrive: null,
        pinned,
      })
    },
    get: (type) => entries.get(type)?.view,
    list: () => [...entries.keys()],
    isPinned: (type) => entries.get(type)?.pinned === true,
    prepare: (types) => load([...new Set(types)].flatMap((type) => entries.get(type) ?? [])),
  }
}

/** A view that cannot be loaded is replaced by an error message, so that the rest of the page opens. */
async function fetchView(entry: Entry, load: LazyView['load'], retry: () => Promise<void>): Promise<void> {
  try {
    const { View } = await fetchPart(load)
    if (entry.arrive === null) entry.view ??= View
    entry.arrive?.(View)
    entry.arrive = null
  } catch (cause) {
    if (entry.view === undefined) Object.assign(entry, missingView(cause, retry))
  }
}

/** It stays in its place when the code has arrived, so that nothing is mounted again. */
function missingView(cause: unknown, retry: () => Promise<void>): Pick<Entry, 'view' | 'arrive'> {
  let arrived: View | null = null
  let resolve: () => void = () => undefined
  const loaded = new Promise<void>((done) => {
    resolve = done
  })
  const missing = new ViewMissing(cause, loaded, retry)
  return {
    view: (props: ViewProps) => {
      if (arrived === null) throw missing
      return createElement(arrived, props)
    },
    arrive(view) {
      arrived = view
      resolve()
    },
  }
}
