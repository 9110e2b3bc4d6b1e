import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Engine } from '../../../runtime/core/engine.ts'
import { client, sourceQueryKey } from '../../../runtime/react/rows/query-client.ts'

/** The parts of an engine that a query uses: the subscribers to a refresh. */
function anEngine() {
  const listeners: ((name: string | undefined) => Promise<void>)[] = []
  const engine = {
    onRefresh: (listener: (name: string | undefined) => Promise<void>) => {
      listeners.push(listener)
      return () => {}
    },
  } as unknown as Engine
  return { engine, refresh: (name?: string) => Promise.all(listeners.map((tell) => tell(name))) }
}

it('a request that was running during a write is repeated', async () => {
  const { engine, refresh } = anEngine()
  const answers: ((rows: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: sourceQueryKey(engine, 'rows', null),
    queryFn: () => new Promise<string>((answer) => answers.push(answer)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const stop = observer.subscribe(() => {})
  await expect.poll(() => answers.length).toBe(1)

  const refreshed = refresh('rows')
  answers[0]?.('as it was')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('as it is')
  await refreshed

  expect(observer.getCurrentResult().data).toBe('as it is')
  stop()
})

it('a refresh of one source does not affect another', async () => {
  const { engine, refresh } = anEngine()
  let asked = 0
  const observer = new QueryObserver(client, {
    queryKey: sourceQueryKey(engine, 'rows', null),
    queryFn: async () => {
      asked += 1
      return asked
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const stop = observer.subscribe(() => {})
  await refresh('counts')
  await expect.poll(() => observer.getCurrentResult().data).toBe(1)

  expect(asked).toBe(1)
  stop()
})
