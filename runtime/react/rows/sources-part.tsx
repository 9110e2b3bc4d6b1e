import { type ComponentType, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Engine } from '../../core/engine.ts'
import type { Page } from '../../core/page/page.ts'
import { fetchPart } from '../page/fetch-part.ts'
import type { AutoSourcesProps } from './auto-sources.tsx'

type Part = ComponentType<AutoSourcesProps>

let fetched: Part | null = null

/** Fetches what keeps automatic sources fresh; null when it is there. Resolves also when it did not come. */
export function fetchSources(): Promise<void> | null {
  if (fetched !== null) return null
  return fetchPart(() => import('./auto-sources.tsx')).then(
    ({ AutoSources }) => {
      fetched = AutoSources
    },
    () => undefined,
  )
}

/** True when something is asked as soon as the page opens. */
const asksAtOnce = (page: Page): boolean => [...page.dataSources.values()].some(({ auto }) => auto === true)

/** Fetches what a page is asked for with as soon as it opens; null when it asks nothing or that is there. */
export const prepareSources = (page: Page): Promise<void> | null => (asksAtOnce(page) ? fetchSources() : null)

interface SourcesPart {
  /** Draws nothing; null while the page has nothing to ask, or the part is not there. */
  readonly Sources: Part | null
  /** It did not come: the page has as little to stand on as when a source did not answer. */
  readonly isCut: boolean
  readonly fetchAgain: () => void
}

/** What keeps the automatic sources of a page fresh; fetched when there is something to ask. */
export function useSourcesPart(engine: Engine): SourcesPart {
  const wanted = useWanted(engine)
  const [part, setPart] = useState<Part | null>(() => fetched)
  const [isCut, setIsCut] = useState(false)
  const fetchAgain = useCallback(async () => {
    await fetchSources()
    setPart(() => fetched)
    setIsCut(fetched === null)
  }, [])
  useEffect(() => {
    if (wanted && part === null) void fetchAgain()
  }, [wanted, part, fetchAgain])
  return { Sources: wanted ? part : null, isCut: wanted && isCut, fetchAgain }
}

/** True from when one of the automatic sources has something to ask. */
function useWanted(engine: Engine): boolean {
  const gate = useMemo(() => {
    let wanted = asksAtOnce(engine.page)
    const names = engine.autoSources()
    return {
      subscribe: (listener: () => void) =>
        wanted || names.length === 0 ? () => {} : engine.subscribeScope(listener),
      read() {
        wanted ||= names.some((name) => engine.sourceKey(name) !== null)
        return wanted
      },
    }
  }, [engine])
  return useSyncExternalStore(gate.subscribe, gate.read)
}
