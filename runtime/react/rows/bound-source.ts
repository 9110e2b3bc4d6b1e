import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Engine } from '../../core/engine.ts'
import { client } from './query-client.ts'
import { refusalIn, sourceQuery } from './source-query.ts'
import { useSourceKey } from './use-source-key.ts'

/** The state of the answer that a widget is bound to. */
interface BoundSource {
  /** `ready` also if nothing is requested, and while an older answer is shown. */
  readonly state: 'loading' | 'failed' | 'ready'
  /** The server's text of the error; '' if it was not reached. */
  readonly refusal: string
  readonly retry: () => void
}

const FIRST_STEPS = /^data\.(\w+)/

/** The state of the automatic source that `path` (`data.rank.rows`) reads, for widgets that would otherwise show failed data as empty. */
export function useBoundSource(engine: Engine, path: string): BoundSource {
  const read = FIRST_STEPS.exec(path)?.[1] ?? ''
  const name = engine.autoSources().includes(read) ? read : ''
  const sourceKey = useSourceKey(engine, name)
  // The page makes the request; this only observes it.
  const { data, error, refetch } = useQuery(
    { ...sourceQuery(engine, name, sourceKey), enabled: false },
    client,
  )
  const retry = useCallback(() => void refetch(), [refetch])
  const isOpen = sourceKey !== null && data === undefined
  if (isOpen && error !== null) return { state: 'failed', refusal: refusalIn(error), retry }
  const isFirst = isOpen && engine.scope().data[name] === undefined
  return { state: isFirst ? 'loading' : 'ready', refusal: '', retry }
}
