import { expect, it } from 'vitest'
import { createRestarts } from '../../../src/tools/restarts.ts'

/** A server that ends when it is told to. */
function aServer() {
  const done: string[] = []
  const ends: (() => void)[] = []
  const restarts = createRestarts({
    stop: () =>
      new Promise((resolve) => {
        done.push('stop')
        ends.push(resolve)
      }),
    start: () => void done.push('start'),
  })
  const hasEnded = async () => {
    ends.shift()?.()
    await new Promise((after) => setImmediate(after))
  }
  return { restarts, done, hasEnded }
}

it('the server is restarted after each build', async () => {
  const { restarts, done, hasEnded } = aServer()
  for (const _ of [1, 2]) {
    restarts.began()
    restarts.ended(true)
    await hasEnded()
  }
  expect(done).toEqual(['stop', 'start', 'stop', 'start'])
})

it('a server whose next build has begun starts when that has ended', async () => {
  const { restarts, done, hasEnded } = aServer()
  restarts.began()
  restarts.ended(true)
  restarts.began()
  await hasEnded()
  expect(done).toEqual(['stop'])

  restarts.ended(true)
  await hasEnded()
  expect(done).toEqual(['stop', 'stop', 'start'])
})

it('two builds while the old server is ending are one restart', async () => {
  const { restarts, done, hasEnded } = aServer()
  restarts.began()
  restarts.ended(true)
  restarts.began()
  restarts.ended(true)
  await hasEnded()
  expect(done).toEqual(['stop', 'start'])
})

it('a failed build restarts nothing, and does not keep back the server of the build before', async () => {
  const { restarts, done, hasEnded } = aServer()
  restarts.began()
  restarts.ended(false)
  expect(done).toEqual([])

  restarts.began()
  restarts.ended(true)
  restarts.began()
  await hasEnded()
  restarts.ended(false)
  await hasEnded()
  expect(done).toEqual(['stop', 'stop', 'start'])
})
