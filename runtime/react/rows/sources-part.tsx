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

/** Loads the code for automatic sources; null if it is loaded. Also resolves on failure. */
export function fetchSources(): Promise<void> | null {
  if (fetched !== null) return null
  return fetchPart(() => import('./auto-sources.tsx')).then(
    ({ AutoSources }) => {
      fetched = AutoSources
    },
    () => undefined,
  )
}

/** True if something is requested as soon as the page opens. */
const requestsAtOnce = (page: Page): boolean =>
  [...page.dataSources.values()].some(({ auto }) => auto === true)

/** Loads the code for requests that start when a page opens; null if there are none or it is loaded. */
export const prepareSources = (page: Page): Promise<void> | null =>
  requestsAtOnce(page) ? fetchSources() : null

interface SourcesProps extends AutoSourcesProps {
  readonly engine: Engine
}

/**
 * Keeps the automatic sources of the page fresh; its code is loaded when there is something to request. If it cannot be loaded, the page behaves as
 * if the source had failed.
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

/** True as soon as one of the automatic sources has something to request. */
function useWanted(engine: Engine): boolean {
  const gate = useMemo(() => {
    let isNeeded = requestsAtOnce(engine.page)
    const names = engine.autoSources()
    return {
      subscribe: (listener: () => void) =>
        isNeeded || names.length === 0 ? () => {} : engine.subscribeScope(listener),
      read() {
        isNeeded ||= names.some((name) => engine.sourceKey(name) !== null)
        return isNeeded
      },
    }
  }, [engine])
  return useSyncExternalStore(gate.subscribe, gate.read)
}
