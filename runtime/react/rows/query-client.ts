import { type Query, QueryClient } from '@tanstack/react-query'
import type { Engine } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'

/**
 * Holds the answers of all open pages: a query stays with the client that it was mounted with, and a page's new version has another
 * engine. The port answers without a network too, from what the device has kept: nothing is held back here.
 */
export const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })

const isComing = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus !== 'idle'

const numbers = new WeakMap<Engine, number>()
let newest = 0

/** Which open page it is. From then on its `refresh` asks again what is held of it, rows of lists as well as automatic sources. */
function numberOf(engine: Engine): number {
  const known = numbers.get(engine)
  if (known !== undefined) return known
  newest += 1
  const number = newest
  numbers.set(engine, number)
  engine.onRefresh(async (name) => {
    const queryKey = name === undefined ? [number] : [number, name]
    // A first answer that is on its way was asked for before, perhaps, what is refreshed for was written: it is asked for again when it is there.
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
 * Key of a source's answer; `asked` is what it would send now (`engine.sourceKey`). Answers belong to one open page: the same source on
 * another one may stand for something else.
 */
export const sourceQueryKey = (engine: Engine, name: string, asked: Json | null) =>
  [numberOf(engine), name, asked] as const
