import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Engine } from '../../core/engine.ts'
import type { Page } from '../../core/page/page.ts'
import { fetchPart } from '../page/fetch-part.ts'
import type { AutoSourcesProps } from './auto-sources.tsx'

type Sources = ComponentType<AutoSourcesProps>

let fetched: Sources | null = null

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

interface SourcesProps extends AutoSourcesProps {
  readonly engine: Engine
}

/**
 * Keeps the automatic sources of the page fresh; what it does so with is fetched when there is something to ask. Where that does not come, the page
 * has as little to stand on as when a source did not answer.
 */
export function SourcesPart({ engine, root, onMissing }: SourcesProps): ReactNode {
  const wanted = useWanted(engine)
  const [Part, setPart] = useState<Sources | null>(() => fetched)
  const fetchAgain = useCallback(async () => {
    await fetchSources()
    setPart(() => fetched)
    onMissing(fetched === null ? { refusal: '', retry: fetchAgain } : null)
  }, [onMissing])
  useEffect(() => {
    if (wanted && Part === null) void fetchAgain()
  }, [wanted, Part, fetchAgain])
  return wanted && Part !== null ? <Part root={root} onMissing={onMissing} /> : null
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
