import { QueryClient } from '@tanstack/react-query'
import type { Engine } from '../../core/engine.ts'

const clients = new WeakMap<Engine, QueryClient>()

/**
 * What holds the answers of one open page: the same source on another page may stand for something else. From then on `refresh` of the
 * page asks anew what is held, rows of lists as well as automatic sources.
 */
export function clientOf(engine: Engine): QueryClient {
  const known = clients.get(engine)
  if (known !== undefined) return known
  // The port answers without a network too, from what the device has kept: nothing is held back here.
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  clients.set(engine, client)
  // A first answer that is on its way is as fresh as one could ask for.
  engine.onRefresh(async (name) => {
    await client.invalidateQueries({
      queryKey: name === undefined ? [] : [name],
      predicate: ({ state }) => state.data !== undefined || state.fetchStatus === 'idle',
    })
  })
  return client
}
