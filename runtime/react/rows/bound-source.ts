import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Engine } from '../../core/engine.ts'
import { client } from './query-client.ts'
import { refusalIn, sourceQuery } from './source-query.ts'
import { useSourceKey } from './use-source-key.ts'

/** How the answer stands that a widget is bound to. */
interface BoundSource {
  /** `ready` also where nothing is asked, and while an older answer is in sight. */
  readonly state: 'loading' | 'failed' | 'ready'
  /** The server's own words for why it did not come; '' when it was not reached. */
  readonly refusal: string
  readonly retry: () => void
}

const FIRST_STEPS = /^data\.(\w+)/

/** How the automatic source stands that `path` (`data.rank.rows`) reads; for widgets that would else call what did not come empty. */
export function useBoundSource(engine: Engine, path: string): BoundSource {
  const read = FIRST_STEPS.exec(path)?.[1] ?? ''
  const name = engine.autoSources().includes(read) ? read : ''
  const asked = useSourceKey(engine, name)
  // It is asked by the page itself; here is only looked at how that goes.
  const { data, error, refetch } = useQuery({ ...sourceQuery(engine, name, asked), enabled: false }, client)
  const retry = useCallback(() => void refetch(), [refetch])
  const isOpen = asked !== null && data === undefined
  if (isOpen && error !== null) return { state: 'failed', refusal: refusalIn(error), retry }
  const isFirst = isOpen && engine.scope().data[name] === undefined
  return { state: isFirst ? 'loading' : 'ready', refusal: '', retry }
}
