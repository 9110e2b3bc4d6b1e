import { type Query, QueryClient } from '@tanstack/react-query'
import type { Engine } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'

/**
 * Holds the answers of all open pages: a query stays with the client it was mounted with, and a new version of a page has another engine. The port
 * also answers without a network, from the device, so queries are not paused.
 */
export const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })

const isComing = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus !== 'idle'

const numbers = new WeakMap<Engine, number>()
let newest = 0

/** The number of an open page. From then on `refresh` of its engine reloads its cached answers: rows of lists and automatic sources. */
function numberOf(engine: Engine): number {
  const existing = numbers.get(engine)
  if (existing !== undefined) return existing
  newest += 1
  const number = newest
  numbers.set(engine, number)
  engine.onRefresh(async (name) => {
    const queryKey = name === undefined ? [number] : [number, name]
    // A first request that is still running may have been sent before the write that causes the refresh: it is repeated after its answer.
    const coming = client.getQueryCache().findAll({ queryKey, predicate: isComing })
    await client.invalidateQueries({ queryKey, predicate: (query) => !isComing(query) })
    await Promise.all(
      coming.map(async (query) => {
        await query.promise?.catch(() => {})
        await client.invalidateQueries({ queryKey: query.queryKey, exact: true })
      }),
    )
  })
  return number
}

/**
 * Cache key of a source's answer; `asked` is the current request (`engine.sourceKey`). Answers belong to one open page, since a source of the same
 * name may be another one on another page.
 */
export const sourceQueryKey = (engine: Engine, name: string, sourceKey: Json | null) =>
  [numberOf(engine), name, sourceKey] as const
